import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.security.auth.login.AppConfigurationEntry;
import kafka.server.KafkaConfig;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.security.JaasContext;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.raft.QuorumConfig;
import org.apache.kafka.server.common.MetadataVersion;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Kafka's own classes read texts of configurations. A line of standard input is a JSON object with
 * "what" and "text" or "properties"; the answer is a line with "value", or with "error".
 */
public final class ConfigOracle {
    private static final ObjectMapper JSON = new ObjectMapper();

    public static void main(String[] arguments) throws Exception {
        BufferedReader in =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            ObjectNode told = JSON.createObjectNode();
            try {
                told.set("value", answer(JSON.readTree(line)));
            } catch (Exception why) {
                told.put("error", why.getClass().getSimpleName() + ": " + why.getMessage());
            }
            out.println(JSON.writeValueAsString(told));
        }
    }

    private static JsonNode answer(JsonNode asked) throws Exception {
        String what = asked.get("what").asText();
        switch (what) {
            case "address":
                return address(asked.get("text").asText());
            case "bootstrap":
                return places(QuorumConfig.parseBootstrapServers(List.of(asked.get("text").asText())));
            case "voter":
                return voters(QuorumConfig.parseVoterConnections(List.of(asked.get("text").asText())));
            case "jaas":
                return jaas(asked.get("text").asText());
            case "release":
                return JSON.valueToTree(MetadataVersion.fromVersionString(
                    asked.get("text").asText(), false).version());
            case "node":
                return node(new KafkaConfig(properties(asked), false));
            case "providers":
                return JSON.valueToTree(new TreeMap<>(
                    new AbstractConfig(new ConfigDef(), properties(asked), false).originals()));
            default:
                throw new IllegalStateException(what);
        }
    }

    /** A client's bootstrap address. */
    private static JsonNode address(String text) {
        String host = Utils.getHost(text);
        Integer port = Utils.getPort(text);
        if (host == null || port == null) {
            throw new IllegalArgumentException("Invalid url");
        }
        return places(List.of(InetSocketAddress.createUnresolved(host, port)));
    }

    private static JsonNode places(List<InetSocketAddress> found) {
        ArrayNode told = JSON.createArrayNode();
        for (InetSocketAddress one : found) {
            told.addArray().add(one.getHostString()).add(one.getPort());
        }
        return told;
    }

    private static JsonNode voters(Map<Integer, InetSocketAddress> found) {
        ArrayNode told = JSON.createArrayNode();
        found.forEach((id, where) ->
            told.addArray().add(id).add(where.getHostString()).add(where.getPort()));
        return told;
    }

    private static JsonNode jaas(String text) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("sasl.jaas.config", new Password(text));
        List<AppConfigurationEntry> entries =
            JaasContext.loadClientContext(settings).configurationEntries();
        ArrayNode told = JSON.createArrayNode();
        for (AppConfigurationEntry entry : entries) {
            ObjectNode one = told.addObject();
            one.put("module", entry.getLoginModuleName());
            ObjectNode options = one.putObject("options");
            entry.getOptions().forEach((name, value) -> {
                if (name != null) {
                    options.put(name, (String) value);
                }
            });
        }
        return told;
    }

    private static JsonNode node(KafkaConfig config) {
        ObjectNode told = JSON.createObjectNode();
        told.set("listeners", endpoints(CollectionConverters.asJava(config.listeners())));
        told.set("advertised", endpoints(
            CollectionConverters.asJava(config.effectiveAdvertisedControllerListeners())));
        return told;
    }

    private static JsonNode endpoints(List<Endpoint> found) {
        ArrayNode told = JSON.createArrayNode();
        for (Endpoint one : found) {
            told.addArray().add(one.listener()).add(one.host()).add(one.port())
                .add(one.securityProtocol().name());
        }
        return told;
    }

    private static Map<String, String> properties(JsonNode asked) {
        Map<String, String> properties = new HashMap<>();
        asked.get("properties").fields().forEachRemaining(
            one -> properties.put(one.getKey(), one.getValue().asText()));
        return properties;
    }
}
