package metaquorum.kafkatests;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.test.TestKitNode;
import org.apache.kafka.common.test.TestKitNodes;
import org.apache.kafka.metadata.bootstrap.BootstrapDirectory;
import org.apache.kafka.metadata.properties.MetaProperties;
import org.apache.kafka.metadata.properties.MetaPropertiesEnsemble;
import org.apache.kafka.metadata.properties.MetaPropertiesVersion;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.raft.DynamicVoters;

/**
 * Formats the directories of a test's cluster with Kafka's own formatter, which takes any first
 * records that a test asks for; our nodes start on what it writes.
 */
public final class ControllerFormat {
    private final TestKitNodes nodes;
    private final NodeProperties properties;
    private final Map<Integer, Integer> ports;
    private final boolean standalone;
    private final Optional<Map<Integer, Uuid>> initialVoters;

    public ControllerFormat(TestKitNodes nodes, NodeProperties properties, Map<Integer, Integer> ports,
            boolean standalone, Optional<Map<Integer, Uuid>> initialVoters) {
        this.nodes = nodes;
        this.properties = properties;
        this.ports = ports;
        this.standalone = standalone;
        this.initialVoters = initialVoters;
    }

    /** Format every node that is not formatted. */
    public void run() throws Exception {
        boolean first = true;
        for (TestKitNode node : nodes.controllerNodes().values()) {
            format(node, first);
            first = false;
        }
        for (TestKitNode node : nodes.brokerNodes().values()) {
            for (String directory : node.logDataDirectories()) {
                new File(directory).mkdirs();
            }
            write(MetaPropertiesEnsemble.EMPTY, ofBroker(node).logDirProps(), node.metadataDirectory());
        }
    }

    private void format(TestKitNode node, boolean first) throws Exception {
        String directory = properties.directory(node);
        Formatter formatter = new Formatter()
            .setPrintStream(new PrintStream(new ByteArrayOutputStream()))
            .setNodeId(properties.processId(node))
            .setClusterId(nodes.clusterId())
            .addDirectory(directory)
            .setMetadataLogDirectory(directory)
            .setIgnoreFormatted(false)
            .setControllerListenerName(nodes.controllerListenerName().value())
            .setUnstableFeatureVersionsEnabled(true)
            .setReleaseVersion(nodes.bootstrapMetadata().metadataVersion());
        if (initialVoters.isPresent()) {
            formatter.setInitialControllers(DynamicVoters.parse(initialVoters.get().entrySet().stream()
                .map(one -> voter(one.getKey(), one.getValue())).collect(Collectors.joining(","))));
        } else if (standalone && first) {
            formatter.setInitialControllers(DynamicVoters.parse(voter(node.id(), directoryId(node))));
        }
        formatter.setHasDynamicQuorum(standalone || initialVoters.isPresent());
        formatter.run();
        // The formatter draws the id of the directory; a test knows the one that it asked for.
        MetaPropertiesEnsemble written = new MetaPropertiesEnsemble.Loader()
            .addMetadataLogDir(directory).load();
        MetaProperties ours = new MetaProperties.Builder()
            .setVersion(MetaPropertiesVersion.V1)
            .setClusterId(nodes.clusterId())
            .setNodeId(properties.processId(node))
            .setDirectoryId(directoryId(node))
            .build();
        write(written, Map.of(directory, ours), directory);
        new BootstrapDirectory(directory).writeBinaryFile(nodes.bootstrapMetadata());
    }

    private static void write(
        MetaPropertiesEnsemble from, Map<String, MetaProperties> rows, String metadataDirectory
    ) throws Exception {
        MetaPropertiesEnsemble.Copier copier = new MetaPropertiesEnsemble.Copier(from);
        copier.setMetaLogDir(Optional.of(metadataDirectory));
        rows.forEach(copier::setLogDirProps);
        copier.setPreWriteHandler((directory, isNew, changed) -> { });
        copier.writeLogDirChanges();
    }

    private static Uuid directoryId(TestKitNode node) {
        return node.initialMetaPropertiesEnsemble().logDirProps().get(node.metadataDirectory())
            .directoryId().orElseThrow();
    }

    private String voter(int id, Uuid directory) {
        TestKitNode node = nodes.controllerNodes().get(id);
        return properties.processId(node) + "@localhost:" + ports.get(id) + ":" + directory;
    }

    /**
     * What a broker's directories say of themselves; what they will say if they are not formatted.
     * A test may make a second cluster on the directories of its first, which keeps that one's id.
     */
    public MetaPropertiesEnsemble ofBroker(TestKitNode node) {
        MetaPropertiesEnsemble.Loader there = new MetaPropertiesEnsemble.Loader();
        there.addMetadataLogDir(node.metadataDirectory());
        there.addLogDirs(node.logDataDirectories());
        try {
            MetaPropertiesEnsemble found = there.load();
            return found.clusterId().isPresent() ? found : node.initialMetaPropertiesEnsemble();
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    /** The voters that every node is told in its file; none where the log tells them. */
    public Map<Integer, InetSocketAddress> staticVoters() {
        Map<Integer, InetSocketAddress> voters = new TreeMap<>();
        if (!isDynamic()) {
            nodes.controllerNodes().values().forEach(one -> voters.put(properties.processId(one), address(one)));
        }
        return voters;
    }

    /** Where a broker looks for the quorum if no voters are told. */
    public Collection<InetSocketAddress> bootstrapAddresses() {
        return isDynamic() ? nodes.controllerNodes().values().stream().map(this::address).toList() : List.of();
    }

    private boolean isDynamic() {
        return standalone || initialVoters.isPresent();
    }

    private InetSocketAddress address(TestKitNode node) {
        return new InetSocketAddress("localhost", ports.get(node.id()));
    }
}
