import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;

/**
 * Segments as Kafka's own classes write them, one directory a codec, all with the same records;
 * and message sets of the formats before 0.11 in the directories v0 and v1.
 *
 * Argument: the directory to fill. Prints the name of each directory in it.
 */
public final class CompressedLogs {
    private static final String SEGMENT = "00000000000000000000.log";
    private static final String[] CODECS = {"none", "gzip", "snappy", "lz4", "zstd"};
    private static final long TIME_MS = 1_700_000_000_000L;

    public static void main(String[] arguments) throws IOException {
        Path target = Path.of(arguments[0]);
        for (String codec : CODECS) {
            ByteArrayOutputStream segment = new ByteArrayOutputStream();
            long offset = 0;
            offset = batch(segment, codec, offset, 2, false);
            offset = batch(segment, codec, offset, 40, true);
            batch(segment, codec, offset, 300, false);
            put(target, codec, segment.toByteArray());
        }
        for (byte magic = 0; magic < 2; magic++) {
            MemoryRecordsBuilder records = MemoryRecords.builder(
                ByteBuffer.allocate(1024), magic, Compression.NONE,
                magic == 0 ? TimestampType.NO_TIMESTAMP_TYPE : TimestampType.CREATE_TIME, 0);
            records.append(magic == 0 ? -1 : TIME_MS, null, "old".getBytes(StandardCharsets.UTF_8));
            put(target, "v" + magic, bytes(records));
        }
    }

    private static long batch(
            ByteArrayOutputStream segment, String codec, long offset, int count, boolean noisy)
            throws IOException {
        MemoryRecordsBuilder records = MemoryRecords.builder(
            ByteBuffer.allocate(1 << 20), (byte) 2, Compression.of(codec).build(),
            TimestampType.CREATE_TIME, offset, TIME_MS);
        Random noise = new Random(count);
        for (int index = 0; index < count; index++) {
            byte[] key = index % 3 == 0 ? null : ("key " + index).getBytes(StandardCharsets.UTF_8);
            byte[] value = null;
            if (noisy) {
                value = new byte[3000];
                noise.nextBytes(value);
                for (int at = 0; at < value.length; at++) {
                    value[at] = (byte) (33 + (value[at] & 63));
                }
            } else if (index % 7 != 6) {
                String text = "value " + "again ".repeat(index % 90) + index;
                value = text.getBytes(StandardCharsets.UTF_8);
            }
            Header[] headers = {};
            if (index % 5 == 0) {
                headers = new Header[] {
                    new RecordHeader("h" + index, new byte[] {1, 2}), new RecordHeader("n", null)
                };
            }
            records.append(TIME_MS + index * 3L, key, value, headers);
        }
        segment.write(bytes(records));
        return offset + count;
    }

    private static byte[] bytes(MemoryRecordsBuilder records) {
        ByteBuffer buffer = records.build().buffer();
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    private static void put(Path target, String name, byte[] content) throws IOException {
        Path directory = Files.createDirectories(target.resolve(name));
        Files.write(directory.resolve(SEGMENT), content);
        System.out.println(name);
    }
}
