package metaquorum.kafkatests;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.common.test.TestKitNodes;

/** Who nodes log in as where a test asks for SASL: the two users that Kafka's tests know. */
public final class Login {
    private static final String JAAS_FILE = "java.security.auth.login.config";
    private static final String ENTRY = "org.apache.kafka.common.security.plain.PlainLoginModule required "
        + "username=\"plain-admin\" password=\"plain-admin-secret\" "
        + "user_plain-admin=\"plain-admin-secret\" user_plain-user1=\"plain-user1-secret\";";

    private Login() { }

    private static boolean isUsed(TestKitNodes nodes) {
        return nodes.brokerListenerProtocol() == SecurityProtocol.SASL_PLAINTEXT;
    }

    /** Have the brokers of this JVM find the users. */
    public static void prepare(TestKitNodes nodes) throws IOException {
        if (!isUsed(nodes)) {
            return;
        }
        File file = File.createTempFile("jaas-", ".conf");
        file.deleteOnExit();
        Files.writeString(file.toPath(), "KafkaServer {\n  " + ENTRY + "\n};\n");
        System.setProperty(JAAS_FILE, file.getAbsolutePath());
        javax.security.auth.login.Configuration.setConfiguration(null);
    }

    /** As in Kafka's kit, each role has it for the protocol of its own listener. */
    static Map<String, Object> ofBroker(TestKitNodes nodes) {
        return isUsed(nodes) ? common() : Map.of();
    }

    static Map<String, Object> ofController(TestKitNodes nodes) {
        if (nodes.controllerListenerProtocol() != SecurityProtocol.SASL_PLAINTEXT) {
            return Map.of();
        }
        Map<String, Object> rows = common();
        rows.put(nodes.controllerListenerName().configPrefix() + "plain.sasl.jaas.config", ENTRY);
        return rows;
    }

    private static Map<String, Object> common() {
        return new HashMap<>(Map.of(
            "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
            "allow.everyone.if.no.acl.found", "false",
            "super.users", "User:plain-admin",
            "sasl.enabled.mechanisms", "PLAIN",
            "sasl.mechanism.inter.broker.protocol", "PLAIN",
            "sasl.mechanism.controller.protocol", "PLAIN"));
    }
}
