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
 * {"error": words}. With {"class": C, "version": N, "hex": bytes} it only reads, and answers
 * {"left": bytes not read, "json": ...}. C is a full class name with a converter beside it.
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
                JsonNode question = JSON.readTree(line);
                if (question.has("hex")) {
                    read(question, answer);
                } else {
                    write(question, answer);
                }
            } catch (Throwable failure) {
                Throwable cause = failure.getCause() == null ? failure : failure.getCause();
                answer.removeAll();
                answer.put("error", cause.toString());
            }
            out.println(JSON.writeValueAsString(answer));
        }
    }

    private static void read(JsonNode question, ObjectNode answer) throws Exception {
        byte[] bytes = HexFormat.of().parseHex(question.get("hex").asText());
        ByteBufferAccessor readable = new ByteBufferAccessor(ByteBuffer.wrap(bytes));
        short version = (short) question.get("version").asInt();
        Message message = empty(question);
        message.read(readable, version);
        answer.put("left", readable.remaining());
        answer.set("json", spelled(message, question));
    }

    private static void write(JsonNode question, ObjectNode answer) throws Exception {
        short version = (short) question.get("version").asInt();
        Method read = converter(question).getMethod("read", JsonNode.class, short.class);
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

        Message again = empty(question);
        again.read(new ByteBufferAccessor(ByteBuffer.wrap(bytes)), version);
        answer.put("hex", HexFormat.of().formatHex(bytes));
        answer.set("json", spelled(again, question));
    }

    private static Class<?> converter(JsonNode question) throws Exception {
        return Class.forName(question.get("class").asText() + "JsonConverter");
    }

    private static Message empty(JsonNode question) throws Exception {
        Class<?> type = Class.forName(question.get("class").asText());
        return (Message) type.getConstructor().newInstance();
    }

    private static JsonNode spelled(Message message, JsonNode question) throws Exception {
        Class<?>[] takes = {message.getClass(), short.class, boolean.class};
        short version = (short) question.get("version").asInt();
        Method write = converter(question).getMethod("write", takes);
        return (JsonNode) write.invoke(null, message, version, true);
    }
}
