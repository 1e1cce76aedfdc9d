package org.apache.kafka.common.test;

import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import kafka.raft.KafkaRaftManager;
import kafka.server.BrokerServer;
import kafka.server.ControllerServer;
import kafka.server.FaultHandlerFactory;
import kafka.server.KafkaConfig;
import kafka.server.SharedServer;
import metaquorum.kafkatests.ControllerFormat;
import metaquorum.kafkatests.ControllerMetrics;
import metaquorum.kafkatests.Login;
import metaquorum.kafkatests.NodeProperties;
import metaquorum.kafkatests.OutsideController;
import metaquorum.kafkatests.OwnController;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.controller.Controller;
import org.apache.kafka.metadata.BrokerState;
import org.apache.kafka.metadata.properties.MetaPropertiesEnsemble;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.fault.FaultHandler;

/**
 * The cluster of one of Kafka's integration tests: brokers of Kafka's in this JVM, and processes of
 * metaquorum as its controllers.
 *
 * <p>It stands in for Kafka's class of this name, and has the methods that Kafka's tests and test
 * runtime link against. Where a test wants brokers and controllers in one process, they are apart.
 */
public class KafkaClusterTestKit implements AutoCloseable {
    private static final long READY_LIMIT_MS = 60_000;
    private static final long THREADS_LIMIT_MS = 15_000;

    private final TestKitNodes nodes;
    private final Map<Integer, OwnController> processes;
    private final Map<Integer, ControllerServer> controllers = new TreeMap<>();
    private final Map<Integer, BrokerServer> brokers;
    private final Map<Integer, Integer> brokerPorts = new TreeMap<>();
    private final PreboundSocketFactoryManager sockets;
    private final ControllerFormat format;
    private final ControllerMetrics metrics;
    private final FaultHandlers faultHandlers;
    private final boolean deleteOnClose;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> new Thread(task, "kit"));
    private boolean closed;

    /** Collects what a test asks of its cluster. */
    public static class Builder {
        private final TestKitNodes nodes;
        private final Map<String, Object> configProps = new HashMap<>();
        private boolean deleteOnClose = true;
        private boolean standalone;
        private Optional<Map<Integer, Uuid>> initialVoterSet = Optional.empty();

        public Builder(TestKitNodes nodes) {
            this.nodes = nodes;
        }

        public Builder setConfigProp(String key, Object value) {
            configProps.put(key, value);
            return this;
        }

        public Builder setDeleteOnClose(boolean deleteOnClose) {
            this.deleteOnClose = deleteOnClose;
            return this;
        }

        public Builder setStandalone(boolean standalone) {
            this.standalone = standalone;
            return this;
        }

        public Builder setInitialVoterSet(Map<Integer, Uuid> initialVoterSet) {
            this.initialVoterSet = Optional.of(initialVoterSet);
            return this;
        }

        public KafkaClusterTestKit build() throws Exception {
            return new KafkaClusterTestKit(this);
        }
    }

    private KafkaClusterTestKit(Builder asked) throws IOException {
        nodes = asked.nodes;
        deleteOnClose = asked.deleteOnClose;
        sockets = new PreboundSocketFactoryManager();
        faultHandlers = new FaultHandlers();
        Login.prepare(nodes);
        boolean dynamic = asked.standalone || asked.initialVoterSet.isPresent();
        Map<Integer, ServerSocket> reserved = new TreeMap<>();
        nodes.controllerNodes().keySet().forEach(id -> reserved.put(id, OwnController.freePort()));
        Map<Integer, Integer> ports = new TreeMap<>();
        reserved.forEach((id, socket) -> ports.put(id, socket.getLocalPort()));
        NodeProperties properties = new NodeProperties(nodes, asked.configProps, ports, dynamic);
        format = new ControllerFormat(nodes, properties, ports, asked.standalone, asked.initialVoterSet);
        processes = new TreeMap<>();
        for (TestKitNode node : nodes.controllerNodes().values()) {
            Map<String, String> rows = properties.ofController(node);
            OwnController process = new OwnController(properties.processId(node), reserved.get(node.id()),
                new File(nodes.baseDirectory()).toPath(), rows);
            processes.put(node.id(), process);
            controllers.put(process.id(), OutsideController.of(process, rows, nodes.clusterId(),
                Path.of(properties.directory(node))));
        }
        metrics = new ControllerMetrics(processes.values());
        brokers = new TreeMap<>();
        for (TestKitNode node : nodes.brokerNodes().values()) {
            // A broker asks for the socket of a listener by its name in capitals.
            String listener = ListenerName.normalised(nodes.brokerListenerName().value()).value();
            brokerPorts.put(node.id(), sockets.getOrCreatePortForListener(node.id(), listener));
            brokers.put(node.id(), broker(node, properties.ofBroker(node)));
        }
    }

    private BrokerServer broker(TestKitNode node, Map<String, Object> properties) {
        MetaPropertiesEnsemble ensemble = format.ofBroker(node);
        KafkaConfig config = new KafkaConfig(properties, false);
        SharedServer shared = new SharedServer(config, ensemble, Time.SYSTEM, new Metrics(),
            CompletableFuture.completedFuture(format.staticVoters()), format.bootstrapAddresses(),
            faultHandlers, sockets.getOrCreateSocketFactory(node.id()));
        return new BrokerServer(shared);
    }

    /** Format the directories of all nodes. */
    public void format() throws Exception {
        format.run();
    }

    /** Start all nodes; returns when they are up. */
    public void startup() throws ExecutionException, InterruptedException {
        processes.values().forEach(OwnController::start);
        List<Future<?>> started = new ArrayList<>();
        for (OwnController one : processes.values()) {
            one.awaitListening();
        }
        for (BrokerServer broker : brokers.values()) {
            started.add(threads.submit(broker::startup));
        }
        for (Future<?> one : started) {
            one.get();
        }
    }

    /** Wait until every broker runs and is seen by every other one as alive. */
    public void waitForReadyBrokers() throws ExecutionException, InterruptedException {
        ListenerName listener = nodes.brokerListenerName();
        TestUtils.waitForCondition(
            () -> brokers.values().stream().allMatch(one -> one.brokerState() == BrokerState.RUNNING
                && one.metadataCache().getAliveBrokerNodes(listener).size() == brokers.size()),
            READY_LIMIT_MS, "not all brokers are ready");
    }

    /** Wait until a controller leads, as the brokers see it. There is no object of it to return. */
    public Controller waitForActiveController() throws InterruptedException {
        TestUtils.waitForCondition(
            () -> brokers.values().stream().anyMatch(one -> one.raftManager() != null
                && one.raftManager().client().leaderAndEpoch().leaderId().isPresent()),
            READY_LIMIT_MS, "no controller is active");
        throw new UnsupportedOperationException("the active controller is another process");
    }

    public Admin admin() {
        return admin(Map.of(), false);
    }

    public Admin admin(Map<String, Object> configs) {
        return admin(configs, false);
    }

    public Admin admin(Map<String, Object> configs, boolean usingBootstrapControllers) {
        Map<String, Object> all = new HashMap<>(configs);
        if (usingBootstrapControllers) {
            all.put(AdminClientConfig.BOOTSTRAP_CONTROLLERS_CONFIG, bootstrapControllers());
            all.remove(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG);
        } else {
            all.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers());
            all.remove(AdminClientConfig.BOOTSTRAP_CONTROLLERS_CONFIG);
        }
        return Admin.create(all);
    }

    /** Of all brokers, those that are down as well: their ports stay theirs. */
    public String bootstrapServers() {
        return brokerPorts.values().stream().map(one -> "localhost:" + one).collect(Collectors.joining(","));
    }

    public String bootstrapControllers() {
        return processes.values().stream()
            .map(one -> "localhost:" + one.port())
            .collect(Collectors.joining(","));
    }

    /** What stands for the processes: it tells what can be known of them from outside. */
    public Map<Integer, ControllerServer> controllers() {
        return controllers;
    }

    public Map<Integer, BrokerServer> brokers() {
        return brokers;
    }

    /** Those of the brokers; what a controller's replica does is not to be seen from this JVM. */
    public Map<Integer, KafkaRaftManager<ApiMessageAndVersion>> raftManagers() {
        Map<Integer, KafkaRaftManager<ApiMessageAndVersion>> found = new HashMap<>();
        brokers.forEach((id, broker) -> found.put(id, broker.sharedServer().raftManager()));
        return found;
    }

    public TestKitNodes nodes() {
        return nodes;
    }

    public MockFaultHandler fatalFaultHandler() {
        return faultHandlers.fatal;
    }

    public MockFaultHandler nonFatalFaultHandler() {
        return faultHandlers.nonFatal;
    }

    /** Stop the brokers in order, then the controllers, and throw away what they wrote. */
    @Override
    public void close() throws Exception {
        if (closed) {
            return;
        }
        closed = true;
        try {
            inParallel(brokers.values().stream().<Runnable>map(one -> one::shutdown).toList());
            inParallel(processes.values().stream().<Runnable>map(one -> one::stop).toList());
            sockets.close();
        } finally {
            processes.values().forEach(OwnController::stop);
            metrics.close();
            threads.shutdown();
            threads.awaitTermination(THREADS_LIMIT_MS, TimeUnit.MILLISECONDS); // a test counts those that are left
            if (deleteOnClose) {
                Utils.delete(new File(nodes.baseDirectory()));
            }
        }
        faultHandlers.fatal.maybeRethrowFirstException();
        faultHandlers.nonFatal.maybeRethrowFirstException();
    }

    private void inParallel(Collection<Runnable> tasks) throws Exception {
        List<Future<?>> running = new ArrayList<>();
        tasks.forEach(one -> running.add(threads.submit(one)));
        for (Future<?> one : running) {
            one.get();
        }
    }

    /** Hands out the two handlers in which a test looks for faults of the brokers. */
    private static final class FaultHandlers implements FaultHandlerFactory {
        private final MockFaultHandler fatal = new MockFaultHandler("fatalFaultHandler");
        private final MockFaultHandler nonFatal = new MockFaultHandler("nonFatalFaultHandler");

        @Override
        public FaultHandler build(String name, boolean isFatal, Runnable action) {
            return isFatal ? fatal : nonFatal;
        }
    }
}
