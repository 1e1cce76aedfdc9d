import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.ObjectSerializationCache;

/**
 * Lets Kafka's own classes read and write many values of one message and version at a time.
 *
 * Reads lines {"class": C, "version": N, "cases": [[bytes, value], ...]}: bytes (base64) as we
 * wrote them, and the same value in Kafka's JSON form, which knows no unknown tags. Answers each
 * line with a list of, for each case, {"written": bytes of the value as Kafka writes it, "json":
 * what Kafka reads in our bytes, "left": bytes not read, "same": whether what was read is written
 * as it came, unknown tags included} or {"error": words}.
 */
public final class Differential {
    private static final JsonMapper JSON = JsonMapper.builder()
        .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
        .disable(JsonWriteFeature.WRITE_NAN_AS_STRINGS)
        .disable(JsonParser.Feature.AUTO_CLOSE_SOURCE)
        .build();

    private Differential() {
    }

    public static void main(String[] arguments) throws Exception {
        BufferedReader in =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8), 1 << 20);
        BufferedWriter out =
            new BufferedWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8), 1 << 20);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            JsonNode question = JSON.readTree(line);
            Codec codec = new Codec(question);
            ArrayNode answers = JSON.createArrayNode();
            for (JsonNode one : question.get("cases")) {
                answers.add(codec.answer(one));
            }
            out.write(JSON.writeValueAsString(answers));
            out.write('\n');
            out.flush();
        }
    }

    /** One message and version, with what reflection finds of them. */
    private static final class Codec {
        private final short version;
        private final Constructor<?> constructor;
        private final Method read;
        private final Method write;

        Codec(JsonNode question) throws Exception {
            version = (short) question.get("version").asInt();
            Class<?> type = Class.forName(question.get("class").asText());
            Class<?> converter = Class.forName(type.getName() + "JsonConverter");
            constructor = type.getConstructor();
            read = converter.getMethod("read", JsonNode.class, short.class);
            write = converter.getMethod("write", type, short.class, boolean.class);
        }

        ObjectNode answer(JsonNode one) {
            ObjectNode answer = JSON.createObjectNode();
            try {
                byte[] ours = Base64.getDecoder().decode(one.get(0).asText());
                ByteBufferAccessor readable = new ByteBufferAccessor(ByteBuffer.wrap(ours));
                Message found = (Message) constructor.newInstance();
                found.read(readable, version);
                answer.put("left", readable.remaining());
                answer.put("same", Arrays.equals(ours, written(found)));
                answer.set("json", (JsonNode) write.invoke(null, found, version, true));
                Message meant = (Message) read.invoke(null, one.get(1), version);
                answer.put("written", Base64.getEncoder().encodeToString(written(meant)));
            } catch (Throwable failure) {
                Throwable cause = failure.getCause() == null ? failure : failure.getCause();
                answer.removeAll();
                answer.put("error", cause.toString());
            }
            return answer;
        }

        private byte[] written(Message message) {
            ObjectSerializationCache cache = new ObjectSerializationCache();
            byte[] bytes = new byte[message.size(cache, version)];
            message.write(new ByteBufferAccessor(ByteBuffer.wrap(bytes)), cache, version);
            return bytes;
        }
    }
}
