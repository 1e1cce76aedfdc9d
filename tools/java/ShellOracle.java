import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.loader.MetadataLoader;
import org.apache.kafka.image.publisher.MetadataPublisher;
import org.apache.kafka.server.fault.FaultHandler;
import org.apache.kafka.shell.MetadataShell;
import org.apache.kafka.shell.command.Commands;
import org.apache.kafka.shell.state.MetadataShellState;

/**
 * Kafka's metadata shell for many files and many commands, in one JVM.
 *
 * A request is a line of JSON on standard input: {"file": F, "commands": [["tree", "/"], ...]}.
 * The answer is a line of JSON: {"outputs": [TEXT, ...]}, or {"fault": WHY} when the file's
 * records cannot be loaded. Loading is done by Kafka's own loader, as the shell does it.
 */
public final class ShellOracle {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long PATIENCE_MS = 5_000;

    public static void main(String[] arguments) throws Exception {
        PrintStream answers = System.out;
        System.setOut(System.err);
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            answers.println(JSON.writeValueAsString(answer(JSON.readTree(line))));
            answers.flush();
        }
        System.exit(0);
    }

    private static ObjectNode answer(JsonNode request) throws Exception {
        List<String> faults = new ArrayList<>();
        FaultHandler handler = (message, cause) -> {
            synchronized (faults) {
                faults.add(message + ": " + cause);
            }
            return new RuntimeException(message, cause);
        };
        ObjectNode answer = JSON.createObjectNode();
        MetadataShell shell = new MetadataShell(request.get("file").asText(), handler);
        try {
            load(shell, faults);
            MetadataShellState state = (MetadataShellState) field(shell, "state");
            ArrayNode outputs = answer.putArray("outputs");
            for (JsonNode command : request.get("commands")) {
                List<String> words = new ArrayList<>();
                command.forEach(word -> words.add(word.asText()));
                StringWriter text = new StringWriter();
                PrintWriter writer = new PrintWriter(text);
                try {
                    new Commands(false).parseCommand(words).run(Optional.empty(), writer, state);
                } catch (RuntimeException broken) {  // the shell would end here
                    writer.println(broken);
                }
                writer.flush();
                outputs.add(text.toString());
            }
        } catch (Exception failed) {
            Throwable why = failed.getCause() == null ? failed : failed.getCause();
            answer.put("fault", faults.isEmpty() ? why.toString() : faults.get(0));
        } finally {
            shell.close();
        }
        return answer;
    }

    private static void load(MetadataShell shell, List<String> faults) throws Exception {
        Method begin = MetadataShell.class.getDeclaredMethod("initializeWithSnapshotFileReader");
        begin.setAccessible(true);
        begin.invoke(shell);
        MetadataLoader loader = (MetadataLoader) field(shell, "loader");
        Object reader = field(shell, "snapshotFileReader");
        Field done = reader.getClass().getDeclaredField("caughtUpFuture");
        done.setAccessible(true);
        ((CompletableFuture<?>) done.get(reader))
            .get(PATIENCE_MS, TimeUnit.MILLISECONDS);
        MetadataShellState state = (MetadataShellState) field(shell, "state");
        loader.installPublishers(List.of((MetadataPublisher) field(shell, "publisher")))
            .get(PATIENCE_MS, TimeUnit.MILLISECONDS);
        long until = System.currentTimeMillis() + PATIENCE_MS;
        while (!isPublished(state, loader)) {
            synchronized (faults) {
                if (!faults.isEmpty()) {
                    break;
                }
            }
            if (System.currentTimeMillis() > until) {
                throw new IllegalStateException("the loader never catches up");
            }
            Thread.sleep(1);
        }
        synchronized (faults) {
            if (!faults.isEmpty()) {
                throw new IllegalStateException(faults.get(0));
            }
        }
    }

    private static boolean isPublished(MetadataShellState state, MetadataLoader loader)
            throws Exception {
        if (loader.lastAppliedOffset() <= 0) {
            return false;
        }
        MetadataImage image = (MetadataImage) field(state.root(), "image");
        return image.highestOffsetAndEpoch().offset() == loader.lastAppliedOffset();
    }

    private static Object field(Object owner, String name) throws Exception {
        Field found = owner.getClass().getDeclaredField(name);
        found.setAccessible(true);
        return found.get(owner);
    }
}
