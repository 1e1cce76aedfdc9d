package metaquorum.kafkatests;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import kafka.network.SocketServer;
import kafka.raft.KafkaRaftManager;
import kafka.server.ControllerServer;
import kafka.server.KafkaConfig;
import org.apache.kafka.controller.Controller;
import org.apache.kafka.raft.LogOffsetMetadata;
import org.apache.kafka.raft.RaftLog;
import org.mockito.MockMakers;
import org.mockito.MockSettings;
import org.mockito.Mockito;
import org.mockito.stubbing.Answer;
import scala.Option;

/**
 * What stands for a controller of ours where a test asks for the object of one.
 *
 * <p>It tells what can be known from outside: its configuration, the cluster's id, the port, the
 * end of its log and the ids of topics in it; it can be started and stopped. Everything else is
 * refused with the name of what was asked for.
 */
public final class OutsideController {
    private OutsideController() { }

    /** {@code directory} is where the process keeps its log. */
    public static ControllerServer of(
        OwnController process, Map<String, String> properties, String clusterId, Path directory
    ) {
        KafkaConfig config = new KafkaConfig(new TreeMap<>(properties), false);
        Object raftManager = raftManager(directory);
        return apart(ControllerServer.class, Map.of(
            "config", call -> config,
            "clusterId", call -> clusterId,
            "authorizerPlugin", call -> Option.empty(),
            "raftManager", call -> raftManager,
            "controller", call -> apart(Controller.class, Map.of("findAllTopicIds",
                asked -> CompletableFuture.completedFuture(TopicIds.in(directory)))),
            "socketServer", call -> apart(SocketServer.class,
                Map.of("boundPort", asked -> process.port(), "config", asked -> config)),
            "startup", call -> {
                process.start();
                process.awaitListening();
                return null;
            },
            "shutdown", call -> {
                process.stop();
                return null;
            }));
    }

    private static Object raftManager(Path directory) {
        RaftLog log = apart(RaftLog.class,
            Map.of("endOffset", asked -> new LogOffsetMetadata(LogEnd.in(directory))));
        return apart(KafkaRaftManager.class, Map.of("raftLog", call -> log));
    }

    /** An object of that class which answers these methods and refuses all others. */
    private static <T> T apart(Class<T> type, Map<String, Answer<?>> answers) {
        Answer<Object> refuse = call -> {
            Answer<?> known = answers.get(call.getMethod().getName());
            if (known != null) {
                return known.answer(call);
            }
            if (call.getMethod().getName().equals("toString")) {
                return type.getSimpleName() + " of another process";
            }
            throw new UnsupportedOperationException(
                "the controller is another process: no " + type.getSimpleName() + "." + call.getMethod().getName());
        };
        // Subclasses: the brokers of this JVM go on with classes that nobody changed.
        MockSettings settings = Mockito.withSettings().stubOnly().defaultAnswer(refuse).mockMaker(MockMakers.SUBCLASS);
        return Mockito.mock(type, settings);
    }
}
