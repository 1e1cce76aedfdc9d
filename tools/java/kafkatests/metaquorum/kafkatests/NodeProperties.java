package metaquorum.kafkatests;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.test.TestKitNode;
import org.apache.kafka.common.test.TestKitNodes;
import org.apache.kafka.server.common.MetadataVersion;

/** The properties of every node of a test's cluster. */
public final class NodeProperties {
    // Where a test wants both roles in one process its ids begin at 0; a controller apart from the
    // broker of that id needs another one.
    private static final int APART = 3000;
    private static final String PROTOCOLS = "listener.security.protocol.map";
    private static final Set<String> OF_THE_KIT = Set.of("listeners", "advertised.listeners", PROTOCOLS,
        "inter.broker.listener.name", "security.inter.broker.protocol");

    private final TestKitNodes nodes;
    private final Map<String, Object> asked;
    private final Map<Integer, Integer> ports;
    private final boolean dynamic;

    /** {@code ports} are those of controllers by node; {@code dynamic} is kraft.version 1. */
    public NodeProperties(
        TestKitNodes nodes, Map<String, Object> asked, Map<Integer, Integer> ports, boolean dynamic
    ) {
        this.nodes = nodes;
        this.asked = Map.copyOf(asked);
        this.ports = ports;
        this.dynamic = dynamic;
    }

    /** The id under which the process of a controller runs. */
    public int processId(TestKitNode controller) {
        return controller.id() < APART ? APART + controller.id() : controller.id();
    }

    /** The directory of a controller's metadata. */
    public String directory(TestKitNode controller) {
        return controller.id() < APART
            ? nodes.baseDirectory() + "/controller_apart_" + controller.id()
            : controller.metadataDirectory();
    }

    private Map<String, Object> common(int id) {
        Map<String, Object> rows = new HashMap<>();
        String controllers = nodes.controllerListenerName().value();
        rows.put("node.id", Integer.toString(id));
        rows.put("controller.listener.names", controllers);
        rows.put(PROTOCOLS, nodes.brokerListenerName().value() + ":"
            + nodes.brokerListenerProtocol() + "," + controllers + ":" + nodes.controllerListenerProtocol());
        rows.put("broker.id", Integer.toString(id));
        rows.put("log.cleaner.dedupe.buffer.size", "2097152");
        rows.put("server.max.startup.time.ms", "600000");
        rows.put("unstable.api.versions.enable", "true");
        rows.put("unstable.feature.versions.enable", "true");
        if (dynamic) {
            rows.put("controller.quorum.bootstrap.servers",
                ports.values().stream().map(one -> "localhost:" + one).collect(Collectors.joining(",")));
        } else {
            rows.put("controller.quorum.voters", votersText());
        }
        return rows;
    }

    /** The value of controller.quorum.voters. */
    String votersText() {
        return nodes.controllerNodes().values().stream()
            .map(one -> processId(one) + "@localhost:" + ports.get(one.id()))
            .collect(Collectors.joining(","));
    }

    /** What a broker of Kafka's is made of. */
    public Map<String, Object> ofBroker(TestKitNode node) {
        Map<String, Object> rows = common(node.id());
        rows.put("process.roles", "broker");
        rows.put("log.dirs", String.join(",", node.logDataDirectories()));
        rows.put("metadata.log.dir", node.metadataDirectory());
        rows.put("listeners", nodes.brokerListenerName().value() + "://localhost:0");
        rows.put("inter.broker.listener.name", nodes.brokerListenerName().value());
        rows.putAll(Login.ofBroker(nodes));
        rows.putAll(asked);
        rows.putAll(node.propertyOverrides());
        rows.remove("controller.quorum.auto.join.enable"); // a broker refuses it
        return rows;
    }

    /** The file of a controller of ours. */
    public Map<String, String> ofController(TestKitNode node) {
        Map<String, Object> rows = common(processId(node));
        rows.put("process.roles", "controller");
        rows.put("log.dirs", directory(node));
        rows.put("listeners", nodes.controllerListenerName().value() + "://localhost:" + ports.get(node.id()));
        // Tests ask what a controller of Kafka does not serve, and want to be refused.
        rows.put("metaquorum.controller.listeners.serve.clients", "false");
        // Clients of a broker that is back before they have noticed fail where tests expect none to.
        rows.put("metaquorum.broker.quick.restart.enable", "false");
        rows.putAll(Login.ofController(nodes));
        Map<String, String> found = new TreeMap<>();
        rows.forEach((key, value) -> found.put(key, text(value)));
        Map<String, Object> more = new HashMap<>(asked);
        more.putAll(node.propertyOverrides());
        Object protocols = more.get(PROTOCOLS);
        more.keySet().removeAll(OF_THE_KIT);
        if (protocols != null && protocols.toString().contains(nodes.controllerListenerName().value() + ":")) {
            more.put(PROTOCOLS, protocols);
        }
        more.forEach((key, value) -> found.put(key, text(value)));
        found.put("metaquorum.metadata.version.max", Short.toString(highestLevel(found)));
        Stores.convert(found);
        return found;
    }

    /** The metadata.version up to which a controller of these jars goes, as it is seen there. */
    private static short highestLevel(Map<String, String> file) {
        MetadataVersion highest = Boolean.parseBoolean(file.get("unstable.api.versions.enable"))
            ? MetadataVersion.latestTesting() : MetadataVersion.latestProduction();
        return highest.featureLevel();
    }

    /** A value as a file has it: tests hand over passwords and lists as objects. */
    private static String text(Object value) {
        if (value instanceof Password password) {
            return password.value();
        }
        return value instanceof Collection<?> items
            ? items.stream().map(NodeProperties::text).collect(Collectors.joining(","))
            : value.toString();
    }
}
