import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.metrics.internals.PluginMetricsImpl;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.common.utils.SecurityUtils;
import org.apache.kafka.metadata.authorizer.StandardAcl;
import org.apache.kafka.metadata.authorizer.StandardAuthorizer;
import org.apache.kafka.server.authorizer.Action;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;
import org.apache.kafka.server.authorizer.AuthorizationResult;

/**
 * Kafka's standard authoriser over standard input. A line is a set of rules with the questions
 * about it; the answer is a line with one letter a question, A for allowed and D for denied.
 */
public final class AclOracle {
    private static final ObjectMapper JSON = new ObjectMapper();

    public static void main(String[] arguments) throws Exception {
        BufferedReader in =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            out.println(answer(JSON.readTree(line)));
        }
    }

    private static String answer(JsonNode asked) throws Exception {
        StandardAuthorizer authorizer = new StandardAuthorizer();
        Map<String, Object> settings = new HashMap<>();
        settings.put("super.users", asked.get("superUsers").asText());
        settings.put("allow.everyone.if.no.acl.found", asked.get("allowWithoutRules").asText());
        settings.put("node.id", "1");
        authorizer.configure(settings);
        Metrics metrics = new Metrics();
        PluginMetricsImpl measured = new PluginMetricsImpl(metrics, new LinkedHashMap<>());
        authorizer.withPluginMetrics(measured);
        Map<Uuid, StandardAcl> rules = new HashMap<>();
        for (JsonNode rule : asked.get("rules")) {
            rules.put(Uuid.randomUuid(), new StandardAcl(
                ResourceType.fromCode((byte) rule.get(0).asInt()),
                rule.get(2).asText(),
                PatternType.fromCode((byte) rule.get(1).asInt()),
                rule.get(3).asText(),
                rule.get(4).asText(),
                AclOperation.fromCode((byte) rule.get(5).asInt()),
                AclPermissionType.fromCode((byte) rule.get(6).asInt())));
        }
        authorizer.loadSnapshot(rules);
        authorizer.completeInitialLoad();
        StringBuilder told = new StringBuilder();
        for (JsonNode question : asked.get("questions")) {
            Action action = new Action(
                AclOperation.fromCode((byte) question.get(2).asInt()),
                new ResourcePattern(
                    ResourceType.fromCode((byte) question.get(3).asInt()),
                    question.get(4).asText(),
                    PatternType.LITERAL),
                1, false, false);
            Asker asker = new Asker(
                SecurityUtils.parseKafkaPrincipal(question.get(0).asText()),
                InetAddress.getByName(question.get(1).asText()));
            List<AuthorizationResult> results = authorizer.authorize(asker, List.of(action));
            told.append(results.get(0) == AuthorizationResult.ALLOWED ? 'A' : 'D');
        }
        authorizer.close();
        measured.close();
        metrics.close();
        return told.toString();
    }

    /** Who asks, as far as the authoriser looks. */
    private record Asker(KafkaPrincipal principal, InetAddress clientAddress)
        implements AuthorizableRequestContext {
        @Override public String listenerName() {
            return "CONTROLLER";
        }

        @Override public SecurityProtocol securityProtocol() {
            return SecurityProtocol.PLAINTEXT;
        }

        @Override public int requestType() {
            return 0;
        }

        @Override public int requestVersion() {
            return 0;
        }

        @Override public String clientId() {
            return "oracle";
        }

        @Override public int correlationId() {
            return 0;
        }
    }
}
