import java.util.Base64;
import java.util.Collections;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/**
 * The metadata log through a consumer of any release from 0.10 to 3.9, compiled against it.
 *
 * Arguments: bootstrap servers, how many records. Prints one line a record (offset, timestamp,
 * value in base64), and on standard error the exception that ended it, with exit code 1.
 */
public final class OldConsumer {
    private static final long PATIENCE_MS = 20_000;

    public static void main(String[] arguments) {
        try {
            consume(arguments[0], Integer.parseInt(arguments[1]));
        } catch (RuntimeException error) {
            System.err.println(error);
            System.exit(1);
        }
        System.exit(0);
    }

    @SuppressWarnings("deprecation")
    private static void consume(String servers, int count) {
        String bytes = "org.apache.kafka.common.serialization.ByteArrayDeserializer";
        Properties config = new Properties();
        config.put("bootstrap.servers", servers);
        config.put("key.deserializer", bytes);
        config.put("value.deserializer", bytes);
        config.put("enable.auto.commit", "false");
        config.put("group.id", "unused");
        TopicPartition partition = new TopicPartition("__cluster_metadata", 0);
        KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(config);
        consumer.assign(Collections.singletonList(partition));
        consumer.seekToBeginning(Collections.singletonList(partition));
        long ends = System.currentTimeMillis() + PATIENCE_MS;
        int seen = 0;
        while (seen < count) {
            if (System.currentTimeMillis() > ends) {
                throw new IllegalStateException("only " + seen + " records came");
            }
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(200)) {
                if (seen++ < count) {
                    System.out.println(record.offset() + " " + record.timestamp() + " "
                        + Base64.getEncoder().encodeToString(record.value()));
                }
            }
        }
    }
}
