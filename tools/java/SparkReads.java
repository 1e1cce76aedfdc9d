import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.DataStreamReader;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;

/**
 * Everything that people do with Spark's Kafka source and sink, as batches or as streams.
 *
 * Arguments: batch or stream, bootstrap servers, a topic, an offset, a timestamp. One line an
 * action, as ClientActions prints them.
 */
public final class SparkReads {
    private final SparkSession spark;
    private final String servers;
    private final String topic;
    private final boolean streaming;

    private SparkReads(SparkSession spark, boolean streaming, String servers, String topic) {
        this.spark = spark;
        this.streaming = streaming;
        this.servers = servers;
        this.topic = topic;
    }

    /** One thing to try; the answer is the outcome's kind, a tab, and the outcome. */
    private interface Action {
        String run() throws Exception;
    }

    public static void main(String[] arguments) {
        SparkSession spark = SparkSession.builder().master("local[1]").appName("matrix")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "1")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .getOrCreate();
        SparkReads all = new SparkReads(
            spark, arguments[0].equals("stream"), arguments[1], arguments[2]);
        String offset = "{\"" + arguments[2] + "\":{\"0\":" + arguments[3] + "}}";
        say("beginning", () -> all.read("startingOffsets", "earliest"));
        say("offset", () -> all.read("startingOffsets", offset));
        say("timestamp", () -> all.read("startingTimestamp", arguments[4]));
        say("produce", all::produce);
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    private static void say(String name, Action action) {
        String outcome;
        try {
            outcome = action.run();
        } catch (Throwable error) {
            Throwable cause = error;
            for (int depth = 0; depth < 20 && cause.getCause() != null; depth++) {
                cause = cause.getCause();
            }
            outcome = "error\t" + cause.getClass().getSimpleName();
        }
        System.out.println(name + "\t" + outcome);
    }

    private String read(String option, String value) throws Exception {
        Map<String, String> options = options(option, value);
        if (!streaming) {
            return records(spark.read().format("kafka").options(options).load());
        }
        DataStreamReader reader = spark.readStream().format("kafka").options(options);
        String table = "read" + System.nanoTime();
        StreamingQuery query = reader.load().writeStream().format("memory").queryName(table)
            .trigger(Trigger.AvailableNow()).start();
        query.awaitTermination();
        return records(spark.table(table));
    }

    private Map<String, String> options(String option, String value) {
        Map<String, String> options = new HashMap<>();
        options.put("kafka.bootstrap.servers", servers);
        options.put("assign", "{\"" + topic + "\":[0]}");
        options.put(option, value);
        return options;
    }

    private static String records(Dataset<Row> rows) {
        List<String> seen = new ArrayList<>();
        for (Row row : rows.select("offset", "value").orderBy("offset").collectAsList()) {
            byte[] value = row.getAs("value");
            seen.add(row.getLong(0) + ":" + Base64.getEncoder().encodeToString(value));
        }
        return "records\t" + String.join(",", seen);
    }

    private String produce() throws Exception {
        if (streaming) {
            spark.readStream().format("kafka").options(options("startingOffsets", "earliest"))
                .load().select("value").writeStream().format("kafka")
                .option("kafka.bootstrap.servers", servers).option("topic", topic)
                .option("checkpointLocation", System.getProperty("java.io.tmpdir") + "/checkpoint")
                .trigger(Trigger.AvailableNow()).start().awaitTermination();
            return "names\tproduced";
        }
        Dataset<Row> rows = spark.sql("select cast('1' as binary) as value");
        rows.write().format("kafka").option("kafka.bootstrap.servers", servers)
            .option("topic", topic).save();
        return "names\tproduced";
    }
}
