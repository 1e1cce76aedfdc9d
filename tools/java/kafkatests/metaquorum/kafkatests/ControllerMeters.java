package metaquorum.kafkatests;

import com.yammer.metrics.core.AskedMeter;
import com.yammer.metrics.core.MetricName;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.apache.kafka.server.metrics.KafkaYammerMetrics;

/**
 * Meters of a controller that tests look for in the registry of their JVM, with the counts of ours.
 *
 * <p>A count is what the metrics pages of the controllers that run say when it is read.
 */
public final class ControllerMeters implements AutoCloseable {
    // Kafka's names in the group kafka.controller, type ControllerStats, without PerSec.
    private static final List<String> NAMES =
        List.of("UncleanLeaderElections", "ElectionFromEligibleLeaderReplicas");

    /** Put them into the registry of this JVM. */
    public ControllerMeters(Collection<OwnController> controllers) {
        for (String name : NAMES) {
            String counter =
                "kafka_controller_controllerstats_" + name.toLowerCase(Locale.ROOT) + "_total";
            AskedMeter.put(KafkaYammerMetrics.defaultRegistry(), metricName(name), "elections",
                () -> controllers.stream().mapToLong(one -> one.counted(counter)).sum());
        }
    }

    private static MetricName metricName(String name) {
        return KafkaYammerMetrics.getMetricName("kafka.controller", "ControllerStats", name + "PerSec");
    }

    /** Take them out. */
    @Override
    public void close() {
        NAMES.forEach(name -> KafkaYammerMetrics.defaultRegistry().removeMetric(metricName(name)));
    }
}
