package metaquorum.kafkatests;

import com.yammer.metrics.core.AskedMeter;
import com.yammer.metrics.core.Gauge;
import com.yammer.metrics.core.MetricName;
import com.yammer.metrics.core.MetricsRegistry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.apache.kafka.server.metrics.KafkaYammerMetrics;

/**
 * Metrics of a controller that tests look for in the registry of their JVM, with the values of ours.
 *
 * <p>A value is what the metrics pages of the controllers that run say when it is read.
 */
public final class ControllerMetrics implements AutoCloseable {
    private static final String GROUP = "kafka.controller";
    // Of the type KafkaController.
    private static final List<String> GAUGES = List.of("ActiveBrokerCount", "FencedBrokerCount", "GlobalTopicCount",
        "GlobalPartitionCount", "OfflinePartitionsCount", "PreferredReplicaImbalanceCount");
    // Of the type ControllerStats, without PerSec.
    private static final List<String> METERS = List.of("UncleanLeaderElections", "ElectionFromEligibleLeaderReplicas");

    private final MetricsRegistry registry = KafkaYammerMetrics.defaultRegistry();
    private final List<MetricName> names = new ArrayList<>();

    /** Put them into the registry of this JVM. */
    public ControllerMetrics(Collection<OwnController> controllers) {
        for (String name : GAUGES) {
            String row = "kafka_controller_kafkacontroller_" + name.toLowerCase(Locale.ROOT);
            registry.removeMetric(named("KafkaController", name));
            registry.newGauge(named("KafkaController", name), new Gauge<Integer>() {
                @Override
                public Integer value() { // of one of them: each tells the same of the cluster
                    return controllers.stream().filter(OwnController::isRunning).findFirst()
                        .map(one -> (int) one.told(row)).orElse(0);
                }
            });
            names.add(named("KafkaController", name));
        }
        for (String name : METERS) {
            String row = "kafka_controller_controllerstats_" + name.toLowerCase(Locale.ROOT) + "_total";
            AskedMeter.put(registry, named("ControllerStats", name + "PerSec"), "elections",
                () -> controllers.stream().filter(OwnController::isRunning).mapToLong(one -> one.told(row)).sum());
            names.add(named("ControllerStats", name + "PerSec"));
        }
    }

    private static MetricName named(String type, String name) {
        return KafkaYammerMetrics.getMetricName(GROUP, type, name);
    }

    /** Take them out. */
    @Override
    public void close() {
        names.forEach(registry::removeMetric);
    }
}
