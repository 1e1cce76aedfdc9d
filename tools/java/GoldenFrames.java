import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.common.protocol.types.RawTaggedField;

/**
 * Lets Kafka's own classes write messages, so that our bytes have a judge.
 *
 * Reads lines {"class": C, "version": N, "value": {...}, "tags": [[number, hex], ...]} and answers
 * each with {"hex": bytes, "json": what Kafka's converter makes of the bytes read back} or
 * {"error": words}. C is a full class name with a converter beside it.
 */
public final class GoldenFrames {
    private static final ObjectMapper JSON = new ObjectMapper();

    private GoldenFrames() {
    }

    public static void main(String[] arguments) throws Exception {
        BufferedReader in =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            ObjectNode answer = JSON.createObjectNode();
            try {
                write(JSON.readTree(line), answer);
            } catch (Throwable failure) {
                Throwable cause = failure.getCause() == null ? failure : failure.getCause();
                answer.removeAll();
                answer.put("error", cause.toString());
            }
            out.println(JSON.writeValueAsString(answer));
        }
    }

    private static void write(JsonNode question, ObjectNode answer) throws Exception {
        String name = question.get("class").asText();
        short version = (short) question.get("version").asInt();
        Class<?> type = Class.forName(name);
        Class<?> converter = Class.forName(name + "JsonConverter");
        Method read = converter.getMethod("read", JsonNode.class, short.class);
        Method write = converter.getMethod("write", type, short.class, boolean.class);

        Message message = (Message) read.invoke(null, question.get("value"), version);
        if (question.has("tags")) {
            for (JsonNode tag : question.get("tags")) {
                byte[] data = HexFormat.of().parseHex(tag.get(1).asText());
                message.unknownTaggedFields().add(new RawTaggedField(tag.get(0).asInt(), data));
            }
        }
        ObjectSerializationCache cache = new ObjectSerializationCache();
        byte[] bytes = new byte[message.size(cache, version)];
        message.write(new ByteBufferAccessor(ByteBuffer.wrap(bytes)), cache, version);

        Message again = (Message) type.getConstructor().newInstance();
        again.read(new ByteBufferAccessor(ByteBuffer.wrap(bytes)), version);
        answer.put("hex", HexFormat.of().formatHex(bytes));
        answer.set("json", (JsonNode) write.invoke(null, again, version, true));
    }
}
