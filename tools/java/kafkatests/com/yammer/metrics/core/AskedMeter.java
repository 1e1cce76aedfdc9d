package com.yammer.metrics.core;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A meter of which somebody else keeps the count: it is asked for each time it is read.
 *
 * <p>Its rates stay zero. Meters can be made, and put into a registry, by classes of this package
 * only.
 */
public final class AskedMeter extends Meter {
    private static final int TICK_THREADS = 2;

    private final LongSupplier count;

    private AskedMeter(MetricsRegistry registry, String eventType, LongSupplier count) {
        // The registry's own threads, by their name: tests count threads that are left.
        super(registry.newScheduledThreadPool(TICK_THREADS, "meter-tick"), eventType, TimeUnit.SECONDS,
            Clock.defaultClock());
        this.count = count;
    }

    /** Put one into the registry, in place of one that is left there under that name. */
    public static void put(MetricsRegistry registry, MetricName name, String eventType, LongSupplier count) {
        registry.removeMetric(name);
        registry.getOrAdd(name, new AskedMeter(registry, eventType, count));
    }

    @Override
    public long count() {
        return count.getAsLong();
    }
}
