package metaquorum.kafkatests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The end offset of a controller's log, read from its files.
 *
 * <p>To ask the process takes a client and a round trip; Kafka's tests ask an object in their JVM,
 * and one of them looks for a topic before the request that makes it has come to the controller.
 */
final class LogEnd {
    private static final String PARTITION = "__cluster_metadata-0";
    private static final String SUFFIX = ".log";
    private static final int LENGTH_AT = 8;
    private static final int LENGTH_END = 12;
    private static final int LAST_OFFSET_DELTA_AT = 23;
    private static final int HEADER_BYTES = 27;

    private LogEnd() { }

    /** The offset behind the last whole batch in this directory; 0 if there is no log yet. */
    static long in(Path directory) {
        try {
            List<Path> segments = segments(directory);
            return segments.isEmpty() ? 0 : endOf(segments.get(segments.size() - 1));
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    /** The segments of the log in this directory, oldest first; none if there is no log yet. */
    static List<Path> segments(Path directory) throws IOException {
        Path partition = directory.resolve(PARTITION);
        if (!Files.isDirectory(partition)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(partition)) {
            return files.filter(one -> one.toString().endsWith(SUFFIX)).sorted().toList();
        }
    }

    private static long endOf(Path segment) throws IOException {
        String name = segment.getFileName().toString();
        long end = Long.parseLong(name.substring(0, name.length() - SUFFIX.length()));
        try (FileChannel file = FileChannel.open(segment)) {
            ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
            long size = file.size();
            for (long at = 0; at + HEADER_BYTES <= size;) {
                header.clear();
                file.read(header, at);
                int length = header.getInt(LENGTH_AT);
                if (length <= 0 || at + LENGTH_END + length > size) {
                    break; // its tail is being written
                }
                end = header.getLong(0) + header.getInt(LAST_OFFSET_DELTA_AT) + 1;
                at += LENGTH_END + length;
            }
        }
        return end;
    }
}
