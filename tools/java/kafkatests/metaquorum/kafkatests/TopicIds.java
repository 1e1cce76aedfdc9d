package metaquorum.kafkatests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metadata.RemoveTopicRecord;
import org.apache.kafka.common.metadata.TopicRecord;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.metadata.MetadataRecordSerde;

/** The ids of all topics by name, read from the files of a controller's log. */
final class TopicIds {
    private TopicIds() { }

    static Map<String, Uuid> in(Path directory) {
        Map<String, Uuid> found = new HashMap<>();
        try {
            List<Path> segments = LogEnd.segments(directory);
            for (Path segment : segments) {
                ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(segment));
                for (RecordBatch batch : MemoryRecords.readableRecords(bytes).batches()) {
                    if (!batch.isControlBatch()) {
                        batch.forEach(record -> replay(record, found));
                    }
                }
            }
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
        return found;
    }

    private static void replay(Record record, Map<String, Uuid> found) {
        ApiMessage message = MetadataRecordSerde.INSTANCE
            .read(new ByteBufferAccessor(record.value()), record.valueSize()).message();
        if (message instanceof TopicRecord topic) {
            found.put(topic.name(), topic.topicId());
        } else if (message instanceof RemoveTopicRecord topic) {
            found.values().remove(topic.topicId());
        }
    }
}
