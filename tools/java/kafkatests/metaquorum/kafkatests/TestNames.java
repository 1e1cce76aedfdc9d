package metaquorum.kafkatests;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.platform.engine.UniqueId;

/**
 * Names of tests that are the same in every run: CLASS#METHOD, and [N] for the Nth invocation.
 *
 * <p>Kafka's cluster tests run once for each type of cluster, in an order that changes from JVM to
 * JVM. Their invocations are numbered within the type: [isolated 1], [combined 1].
 */
final class TestNames {
    private static final String COMBINED = "Type=Raft-Combined";
    private static final String ISOLATED = "Type=Raft-Isolated";
    private static final Set<String> CLASSES = Set.of("class", "nested-class");
    private static final Set<String> METHODS = Set.of("method", "test-template", "test-factory");

    private final Map<UniqueId, String> named = new HashMap<>();
    private final Map<String, Integer> invocations = new HashMap<>();

    /** The name of a test; one that is an invocation has to be asked for in the order they come. */
    synchronized String of(UniqueId id, String displayName) {
        return named.computeIfAbsent(id, one -> fresh(one, displayName));
    }

    private String fresh(UniqueId id, String displayName) {
        StringBuilder name = new StringBuilder();
        boolean invoked = false;
        for (UniqueId.Segment segment : id.getSegments()) {
            if (CLASSES.contains(segment.getType())) {
                name.append(name.length() == 0 ? "" : "$").append(segment.getValue());
            } else if (METHODS.contains(segment.getType())) {
                name.append('#').append(segment.getValue().replaceFirst("\\(.*", ""));
            } else if (segment.getType().endsWith("invocation") || segment.getType().startsWith("dynamic")) {
                invoked = true;
            }
        }
        if (!invoked) {
            return name.toString();
        }
        String type = displayName.contains(COMBINED) ? "combined "
            : displayName.contains(ISOLATED) ? "isolated " : "";
        int number = invocations.merge(name + type, 1, Integer::sum);
        return name.append('[').append(type).append(number).append(']').toString();
    }
}
