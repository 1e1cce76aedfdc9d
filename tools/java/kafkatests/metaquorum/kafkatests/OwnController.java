package metaquorum.kafkatests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** A metaquorum process that is a controller of a test's cluster: its file, its port, its life. */
public final class OwnController {
    private static final int FIRST_PORT = 10_000;
    // Below the ports that Linux hands out itself: one of a node that is down stays free.
    private static final int LAST_PORT = 32_767;
    private static final long LISTENING_LIMIT_MS = 30_000;
    private static final long STOPPING_LIMIT_MS = 15_000;
    private static final int PAGE_LIMIT_MS = 10_000;
    private static final int SHOWN_LINES = 30;
    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();
    private static final Queue<String> FAULTS = new ConcurrentLinkedQueue<>();

    private final int id;
    private final ServerSocket reserved;
    private final ServerSocket reservedForMetrics = freePort();
    private final Path directory;
    private final Map<String, String> properties;
    private Process process;

    /**
     * The process of a node in a directory; {@code properties} are those of its file.
     *
     * <p>{@code reserved} holds its port until it is started, for others look for free ones too.
     */
    public OwnController(int id, ServerSocket reserved, Path directory, Map<String, String> properties) {
        this.id = id;
        this.reserved = reserved;
        this.directory = directory;
        this.properties = Map.copyOf(properties);
    }

    /** A loopback port that nobody listens on, and that was not given to anybody here before. */
    public static ServerSocket freePort() {
        for (int tried = 0; tried < 10_000; tried++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, LAST_PORT + 1);
            if (!GIVEN.add(port)) {
                continue;
            }
            try {
                return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
            } catch (IOException taken) {
                // another one
            }
        }
        throw new IllegalStateException("no free port");
    }

    /** What was wrong with processes since it was asked last: they ended by themselves, or badly. */
    public static List<String> drainFaults() {
        List<String> drained = new ArrayList<>();
        for (String one = FAULTS.poll(); one != null; one = FAULTS.poll()) {
            drained.add(one);
        }
        return drained;
    }

    public int id() {
        return id;
    }

    public int port() {
        return reserved.getLocalPort();
    }

    private String metrics() {
        return "127.0.0.1:" + reservedForMetrics.getLocalPort();
    }

    private Path log() {
        return directory.resolve("controller-" + id + ".log");
    }

    /** Write its file and start the process; {@link #awaitListening} tells when it can be asked. */
    public synchronized void start() {
        try {
            Files.createDirectories(directory);
            Path file = directory.resolve("controller-" + id + ".properties");
            Properties rows = new Properties();
            rows.putAll(properties);
            rows.put("metrics.listener", metrics());
            try (var out = Files.newOutputStream(file)) {
                rows.store(out, null);
            }
            reserved.close();
            reservedForMetrics.close();
            process = new ProcessBuilder(System.getProperty("metaquorum.server"), "server", "start", file.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
                .start();
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    /** Wait until its port takes connections; IllegalStateException with its log if it ends first. */
    public void awaitListening() throws InterruptedException {
        long ends = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LISTENING_LIMIT_MS);
        while (true) {
            try (Socket tried = new Socket()) {
                if (!process.isAlive()) {
                    throw new IllegalStateException("controller " + id + " has ended:\n" + logTail());
                }
                tried.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port()), 1_000);
                return;
            } catch (IOException notYet) {
                if (!process.isAlive() || System.nanoTime() > ends) {
                    throw new IllegalStateException("controller " + id + " does not listen:\n" + logTail());
                }
            }
            Thread.sleep(10);
        }
    }

    /** Whether its process is there. */
    public synchronized boolean isRunning() {
        return process != null && process.isAlive();
    }

    /** What a row of its metrics page says. */
    public long told(String row) {
        try {
            URLConnection asked = URI.create("http://" + metrics() + "/metrics").toURL().openConnection();
            asked.setRequestProperty("Connection", "close"); // a test counts threads that are left
            asked.setConnectTimeout(PAGE_LIMIT_MS);
            asked.setReadTimeout(PAGE_LIMIT_MS);
            try (var page = asked.getInputStream()) {
                return new String(page.readAllBytes(), StandardCharsets.UTF_8).lines()
                    .filter(line -> line.startsWith(row + " "))
                    .mapToLong(line -> (long) Double.parseDouble(line.substring(row.length() + 1)))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("controller " + id + " has no " + row));
            }
        } catch (IOException error) {
            throw new UncheckedIOException("controller " + id + " does not tell " + row, error);
        }
    }

    /** SIGTERM, and SIGKILL if it takes too long. An end by itself or a bad one is a fault. */
    public synchronized void stop() {
        try {
            reserved.close();
            reservedForMetrics.close();
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
        if (process == null) {
            return;
        }
        Process ending = process;
        process = null;
        if (!ending.isAlive()) {
            FAULTS.add("controller " + id + " had ended with " + ending.exitValue() + ":\n" + logTail());
            keepLog();
            return;
        }
        ending.destroy();
        try {
            if (!ending.waitFor(STOPPING_LIMIT_MS, TimeUnit.MILLISECONDS)) {
                FAULTS.add("controller " + id + " did not stop:\n" + logTail());
                ending.destroyForcibly().waitFor();
            } else if (ending.exitValue() != 0) {
                FAULTS.add("controller " + id + " stopped with " + ending.exitValue() + ":\n" + logTail());
            }
        } catch (InterruptedException interrupted) {
            ending.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        keepLog();
    }

    /** Its log goes to ours, for its directory is removed with the cluster. */
    private void keepLog() {
        lines().forEach(line -> System.err.println("controller " + id + ": " + line));
    }

    private String logTail() {
        List<String> lines = lines();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - SHOWN_LINES), lines.size()));
    }

    private List<String> lines() {
        try {
            return new String(Files.readAllBytes(log()), StandardCharsets.UTF_8).lines().toList();
        } catch (IOException error) {
            return List.of(error.toString());
        }
    }
}
