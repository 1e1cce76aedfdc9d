import java.io.FileReader;
import java.io.IOException;
import java.io.Reader;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeSet;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Everything that people do with kafka-clients, of any release from 0.10.2 on, compiled against it.
 *
 * Arguments: bootstrap servers, a topic, how many records it has from its beginning, an offset, how
 * many records there are from it, a timestamp; and a file of client properties, where the listener
 * asks for some. One line an action: its name, what the outcome is
 * (records, offsets, names, error, absent), and the outcome, separated by tabs. What not every
 * release has (the admin client, two ways to poll) is called by reflection.
 */
public final class ClientActions {
    private static final long PATIENCE_MS = 20_000;
    private static final String ADMIN = "org.apache.kafka.clients.admin.";

    private final String topic;
    private final TopicPartition partition;
    private final Properties common = new Properties();

    private ClientActions(String servers, String topic) {
        this.common.put("bootstrap.servers", servers);
        this.topic = topic;
        this.partition = new TopicPartition(topic, 0);
    }

    /** One thing to try; the answer is the outcome's kind, a tab, and the outcome. */
    private interface Action {
        String run() throws Exception;
    }

    public static void main(String[] arguments) throws IOException {
        ClientActions all = new ClientActions(arguments[0], arguments[1]);
        if (arguments.length > 6) {
            try (Reader file = new FileReader(arguments[6])) {
                all.common.load(file);
            }
        }
        int count = Integer.parseInt(arguments[2]);
        long offset = Long.parseLong(arguments[3]);
        int countFromOffset = Integer.parseInt(arguments[4]);
        long timestampMs = Long.parseLong(arguments[5]);
        say("beginning", () -> all.read(null, count));
        say("offset", () -> all.read(offset, countFromOffset));
        say("timestamp", () -> all.readSince(timestampMs, countFromOffset));
        say("find", () -> all.find(timestampMs));
        say("offsets", all::offsets);
        say("topics", all::topics);
        say("configs", () -> all.admin("configs"));
        say("group", all::subscribe);
        say("produce", all::produce);
        say("transaction", all::transaction);
        say("create", () -> all.admin("create"));
        System.out.flush();
        System.exit(0);
    }

    private static void say(String name, Action action) {
        String outcome;
        try {
            outcome = action.run();
        } catch (Throwable error) {
            outcome = "error\t" + word(error);
        }
        System.out.println(name + "\t" + outcome);
    }

    /** The name of the first cause, and its message where the name alone says nothing. */
    private static String word(Throwable error) {
        Throwable cause = error;
        for (int depth = 0; depth < 20 && cause.getCause() != null; depth++) {
            cause = cause.getCause();
        }
        String name = cause.getClass().getSimpleName();
        boolean plain = name.equals("KafkaException") || name.equals("IllegalStateException");
        return plain ? name + ": " + cause.getMessage() : name;
    }

    private Properties begun() {
        Properties config = new Properties();
        config.putAll(common);
        return config;
    }

    // ---------------------------------------------------------------- consuming

    private KafkaConsumer<byte[], byte[]> consumer() {
        String bytes = "org.apache.kafka.common.serialization.ByteArrayDeserializer";
        Properties config = begun();
        config.put("key.deserializer", bytes);
        config.put("value.deserializer", bytes);
        config.put("enable.auto.commit", "false");
        config.put("auto.offset.reset", "earliest");
        config.put("group.id", "matrix");
        return new KafkaConsumer<>(config);
    }

    private String read(Long offset, int count) throws Exception {
        try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
            consumer.assign(Collections.singletonList(partition));
            if (offset == null) {
                consumer.seekToBeginning(Collections.singletonList(partition));
            } else {
                consumer.seek(partition, offset);
            }
            return records(consumer, count);
        }
    }

    private String readSince(long timestampMs, int count) throws Exception {
        try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
            consumer.assign(Collections.singletonList(partition));
            consumer.seek(partition, offsetOf(consumer, timestampMs));
            return records(consumer, count);
        }
    }

    private String find(long timestampMs) {
        try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
            return "offsets\t" + offsetOf(consumer, timestampMs);
        }
    }

    private long offsetOf(KafkaConsumer<byte[], byte[]> consumer, long timestampMs) {
        return consumer.offsetsForTimes(Collections.singletonMap(partition, timestampMs))
            .get(partition).offset();
    }

    private String subscribe() throws Exception {
        try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
            consumer.subscribe(Collections.singletonList(topic));
            return records(consumer, 1);
        }
    }

    private static String records(KafkaConsumer<byte[], byte[]> consumer, int count)
            throws Exception {
        long ends = System.currentTimeMillis() + PATIENCE_MS;
        List<String> seen = new ArrayList<>();
        while (seen.size() < count) {
            if (System.currentTimeMillis() > ends) {
                throw new IllegalStateException("nothing more came in time");
            }
            for (ConsumerRecord<byte[], byte[]> record : poll(consumer)) {
                seen.add(record.offset() + ":"
                    + Base64.getEncoder().encodeToString(record.value()));
            }
        }
        return "records\t" + String.join(",", seen);
    }

    @SuppressWarnings("unchecked")
    private static ConsumerRecords<byte[], byte[]> poll(KafkaConsumer<byte[], byte[]> consumer)
            throws Exception {
        try {
            return (ConsumerRecords<byte[], byte[]>) KafkaConsumer.class
                .getMethod("poll", Duration.class).invoke(consumer, Duration.ofMillis(200));
        } catch (NoSuchMethodException before20) {
            return (ConsumerRecords<byte[], byte[]>) KafkaConsumer.class
                .getMethod("poll", long.class).invoke(consumer, 200L);
        }
    }

    private String offsets() {
        try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
            List<TopicPartition> which = Collections.singletonList(partition);
            return "offsets\t" + consumer.beginningOffsets(which).get(partition)
                + "," + consumer.endOffsets(which).get(partition);
        }
    }

    private String topics() {
        try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
            return "names\t" + String.join(",", new TreeSet<>(consumer.listTopics().keySet()));
        }
    }

    // ---------------------------------------------------------------- producing

    private Properties producing() {
        String bytes = "org.apache.kafka.common.serialization.ByteArraySerializer";
        Properties config = begun();
        config.put("key.serializer", bytes);
        config.put("value.serializer", bytes);
        return config;
    }

    /** Transactions came with 0.11. */
    private String transaction() throws Exception {
        Method begin;
        try {
            begin = KafkaProducer.class.getMethod("initTransactions");
        } catch (NoSuchMethodException before011) {
            return "absent\t";
        }
        Properties config = producing();
        config.put("transactional.id", "matrix");
        config.put("max.block.ms", String.valueOf(PATIENCE_MS));
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(config)) {
            begin.invoke(producer);
            return "names\tbegun";
        }
    }

    private String produce() throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(producing())) {
            Future<?> sent = producer.send(new ProducerRecord<>(topic, 0, null, new byte[] {1}));
            sent.get();
            return "names\tproduced";
        }
    }

    // ---------------------------------------------------------------- the admin client

    private String admin(String what) throws Exception {
        Class<?> type;
        try {
            type = Class.forName(ADMIN + "AdminClient");
        } catch (ClassNotFoundException before011) {
            return "absent\t";
        }
        Properties config = begun();
        config.put("request.timeout.ms", "10000");
        config.put("default.api.timeout.ms", "15000");
        try (AutoCloseable admin =
                (AutoCloseable) type.getMethod("create", Properties.class).invoke(null, config)) {
            return what.equals("configs") ? configs(type, admin) : create(type, admin);
        }
    }

    private String configs(Class<?> type, Object admin) throws Exception {
        Class<?> resource = Class.forName("org.apache.kafka.common.config.ConfigResource");
        Class<?> kind = Class.forName("org.apache.kafka.common.config.ConfigResource$Type");
        Object ours = resource.getConstructor(kind, String.class)
            .newInstance(kind.getField("TOPIC").get(null), topic);
        Object result = type.getMethod("describeConfigs", Collection.class)
            .invoke(admin, Collections.singletonList(ours));
        Map<?, ?> found = (Map<?, ?>) wait(call(result, "all"));
        TreeSet<String> names = new TreeSet<>();
        for (Object entry : (Collection<?>) call(found.get(ours), "entries")) {
            names.add((String) call(entry, "name"));
        }
        return "names\t" + String.join(",", names);
    }

    private String create(Class<?> type, Object admin) throws Exception {
        Object wanted = Class.forName(ADMIN + "NewTopic")
            .getConstructor(String.class, int.class, short.class)
            .newInstance("matrix", 1, (short) 1);
        Object result = type.getMethod("createTopics", Collection.class)
            .invoke(admin, Collections.singletonList(wanted));
        wait(call(result, "all"));
        return "names\tmatrix";
    }

    private static Object wait(Object future) throws Exception {
        return ((Future<?>) future).get();
    }

    private static Object call(Object on, String name) throws Exception {
        Method method = on.getClass().getMethod(name);
        return method.invoke(on);
    }
}
