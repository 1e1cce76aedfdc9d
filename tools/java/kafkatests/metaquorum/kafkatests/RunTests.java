package metaquorum.kafkatests;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs classes of JUnit tests, one after the other, and writes a line of JSON for each test.
 *
 * <p>Standard input has one word a line until its end: CLASS or CLASS#METHOD to run, and behind a
 * "-" the name of a test to leave out. The lines on standard output: {"started": TEST},
 * {"test": TEST, "status": passed|failed|skipped, "seconds": S, "why": TEXT, "faults": [TEXT]},
 * {"class": CLASS, "found": N} when a class is through. Everything else goes to standard error.
 */
public final class RunTests implements TestExecutionListener {
    private static final int MOST_TEXT_CHARACTERS = 4000;

    private final ObjectMapper json = new ObjectMapper();
    private final PrintStream out;
    private final Map<String, Long> began = new HashMap<>();
    private int found;
    private String running = "";

    private RunTests(PrintStream out) {
        this.out = out;
    }

    public static void main(String[] arguments) throws IOException {
        RunTests listener = new RunTests(System.out);
        System.setOut(System.err);
        Set<String> skipped = new HashSet<>();
        Map<String, List<DiscoverySelector>> wanted = new LinkedHashMap<>();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith("-")) {
                skipped.add(line.substring(1));
            } else {
                wanted.put(line, List.of(selector(line)));
            }
        }
        SkipNamed.skipped = Set.copyOf(skipped);
        Launcher launcher = LauncherFactory.create();
        for (Map.Entry<String, List<DiscoverySelector>> one : wanted.entrySet()) {
            LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(one.getValue())
                .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "true")
                .configurationParameter("junit.jupiter.execution.timeout.default", arguments[0] + " s")
                .build();
            listener.found = 0;
            listener.running = one.getKey().replaceFirst("#.*", "");
            launcher.execute(request, listener);
            listener.write(Map.of("class", one.getKey(), "found", listener.found));
        }
        System.exit(0); // some tests leave threads behind that would keep the JVM
    }

    private static DiscoverySelector selector(String word) {
        int at = word.indexOf('#');
        if (at < 0) {
            return DiscoverySelectors.selectClass(word);
        }
        // The parameters are not part of the name: the first method of that name is the one.
        String className = word.substring(0, at);
        String method = word.substring(at + 1);
        try {
            for (var one : Class.forName(className, false, RunTests.class.getClassLoader()).getDeclaredMethods()) {
                if (one.getName().equals(method)) {
                    return DiscoverySelectors.selectMethod(one.getDeclaringClass(), one);
                }
            }
        } catch (ClassNotFoundException missing) {
            return DiscoverySelectors.selectClass(className); // JUnit says that it is missing
        }
        return DiscoverySelectors.selectMethod(className, method);
    }

    @Override
    public void dynamicTestRegistered(TestIdentifier test) {
        if (test.isTest()) {
            nameOf(test);
        }
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        if (test.isTest()) {
            found += 1;
            began.put(test.getUniqueId(), System.nanoTime());
            OwnController.drainFaults();
            write(Map.of("started", nameOf(test)));
        }
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        if (test.isTest()) {
            found += 1;
            finished(nameOf(test), "skipped", 0, reason, List.of());
        }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        boolean passed = result.getStatus() == TestExecutionResult.Status.SUCCESSFUL;
        if (!test.isTest()) {
            if (!passed) { // its tests are never started: @BeforeAll failed, or a class is missing
                finished(nameOfContainer(test), "failed", 0, text(result), List.of());
            }
            return;
        }
        double seconds = (System.nanoTime() - began.remove(test.getUniqueId())) / 1e9;
        String status = passed ? "passed"
            : result.getStatus() == TestExecutionResult.Status.ABORTED ? "skipped" : "failed";
        finished(nameOf(test), status, seconds, text(result), OwnController.drainFaults());
    }

    private static String nameOf(TestIdentifier test) {
        return SkipNamed.NAMES.of(test.getUniqueIdObject(), test.getDisplayName());
    }

    private String nameOfContainer(TestIdentifier container) {
        String name = nameOf(container);
        return name.contains("#") ? name : (name.isEmpty() ? running : name) + "#(class)";
    }

    private static String text(TestExecutionResult result) {
        return result.getThrowable().map(RunTests::text).orElse("");
    }

    private static String text(Throwable thrown) {
        StringBuilder text = new StringBuilder();
        for (Throwable one = thrown; one != null && text.length() < MOST_TEXT_CHARACTERS; one = one.getCause()) {
            text.append(text.length() == 0 ? "" : "\ncaused by ").append(one);
            StackTraceElement[] frames = one.getStackTrace();
            int shown = 0;
            for (int at = 0; at < frames.length && shown < 6; at++) {
                if (!frames[at].getClassName().startsWith("org.junit.")) {
                    text.append("\n  at ").append(frames[at]);
                    shown += 1;
                }
            }
        }
        return text.substring(0, Math.min(text.length(), MOST_TEXT_CHARACTERS));
    }

    private void finished(String test, String status, double seconds, String why, List<String> faults) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("test", test);
        line.put("status", status);
        line.put("seconds", Math.round(seconds * 1000) / 1000.0);
        line.put("why", why);
        line.put("faults", faults);
        write(line);
    }

    private void write(Map<String, ?> line) {
        try {
            out.println(json.writeValueAsString(line));
            out.flush();
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }
}
