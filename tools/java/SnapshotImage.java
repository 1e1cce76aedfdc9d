import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.apache.kafka.common.metadata.PartitionRecord;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.LogContext;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;
import org.apache.kafka.image.writer.ImageWriterOptions;
import org.apache.kafka.image.writer.RecordListWriter;
import org.apache.kafka.metadata.MetadataRecordSerde;
import org.apache.kafka.raft.Batch;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.common.OffsetAndEpoch;
import org.apache.kafka.snapshot.FileRawSnapshotReader;
import org.apache.kafka.snapshot.RecordsSnapshotReader;
import org.apache.kafka.snapshot.Snapshots;

/**
 * Loads a checkpoint into Kafka's own metadata image.
 *
 * write FILE         one line for each record that the image would be written as, in that order:
 *                    the framed value in hex
 * load FILE ROUNDS   one line a round: milliseconds of the load, records, partitions
 */
public final class SnapshotImage {
    private static final int BATCH_BYTES = 8 * 1024 * 1024;

    private final Path file;
    private final OffsetAndEpoch id;
    private int records;
    private int partitions;

    private SnapshotImage(Path file) {
        this.file = file.toAbsolutePath();
        this.id = Snapshots.parse(this.file).orElseThrow().snapshotId();
    }

    public static void main(String[] arguments) throws Exception {
        // The tools' log goes to standard output by default; what we print must be alone there.
        PrintStream out = System.out;
        SnapshotImage snapshot = new SnapshotImage(Path.of(arguments[1]));
        if (arguments[0].equals("write")) {
            snapshot.write(out);
            return;
        }
        for (int round = 0; round < Integer.parseInt(arguments[2]); round++) {
            long began = System.nanoTime();
            MetadataImage image = snapshot.load();
            double tookMs = (System.nanoTime() - began) / 1e6;
            out.printf(Locale.ROOT, "%.1f %d %d %d%n",
                tookMs, snapshot.records, snapshot.partitions, image.topics().topicsById().size());
        }
    }

    private MetadataImage load() {
        records = 0;
        partitions = 0;
        MetadataDelta delta = new MetadataDelta.Builder().setImage(MetadataImage.EMPTY).build();
        long timestamp;
        try (RecordsSnapshotReader<ApiMessageAndVersion> reader = RecordsSnapshotReader.of(
                FileRawSnapshotReader.open(file.getParent(), id), MetadataRecordSerde.INSTANCE,
                BufferSupplier.create(), BATCH_BYTES, true, new LogContext())) {
            timestamp = reader.lastContainedLogTimestamp();
            while (reader.hasNext()) {
                Batch<ApiMessageAndVersion> batch = reader.next();
                for (ApiMessageAndVersion record : batch) {
                    records += 1;
                    if (record.message() instanceof PartitionRecord) {
                        partitions += 1;
                    }
                    delta.replay(record.message());
                }
            }
        }
        delta.finishSnapshot();
        return delta.apply(
            new MetadataProvenance(id.offset() - 1, id.epoch(), timestamp, true));
    }

    private void write(PrintStream out) {
        MetadataImage image = load();
        RecordListWriter writer = new RecordListWriter();
        image.write(writer, new ImageWriterOptions.Builder(image).build());
        List<ApiMessageAndVersion> written = writer.records();
        for (ApiMessageAndVersion record : written) {
            ObjectSerializationCache cache = new ObjectSerializationCache();
            ByteBuffer bytes = ByteBuffer.allocate(
                MetadataRecordSerde.INSTANCE.recordSize(record, cache));
            MetadataRecordSerde.INSTANCE.write(record, cache, new ByteBufferAccessor(bytes));
            out.println(HexFormat.of().formatHex(bytes.array()));
        }
    }
}
