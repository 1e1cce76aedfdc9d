import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.quota.ClientQuotaFilter;
import org.apache.kafka.common.quota.ClientQuotaFilterComponent;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * One JVM that answers many requests, because starting one costs a second.
 *
 * A request is a line of JSON on standard input: {"id": N, "verb": V, ...}. Each answer is a line
 * of JSON on standard output that carries the same id; the last one of a request has
 * "done": true, and "error" when it failed. Requests run beside each other, except tools, which
 * share the process's standard streams and therefore take turns.
 */
public final class Helper {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration POLL = Duration.ofMillis(200);
    private static final long ADMIN_TIMEOUT_S = 60;

    private final PrintStream answers;
    private final Redirect out = new Redirect();
    private final Redirect err = new Redirect();
    private volatile Exited firstExit;
    private final Map<Integer, Boolean> stopped = new ConcurrentHashMap<>();

    private Helper(PrintStream answers) {
        this.answers = answers;
    }

    public static void main(String[] arguments) throws Exception {
        Helper helper = new Helper(System.out);
        helper.serve();
        System.exit(0);
    }

    /** The class through which tools exit moved between releases, so it is looked for by name. */
    private void catchExits() throws ReflectiveOperationException {
        Class<?> exit;
        try {
            exit = Class.forName("org.apache.kafka.common.utils.internals.Exit");
        } catch (ClassNotFoundException before44) {
            exit = Class.forName("org.apache.kafka.common.utils.Exit");
        }
        InvocationHandler exited = (proxy, method, given) -> {
            exited((int) given[0], (String) given[1]);
            return null;
        };
        set(exit, "setExitProcedure", "Procedure", exited);
        set(exit, "setHaltProcedure", "Procedure", exited);
        set(exit, "setShutdownHookAdder", "ShutdownHookAdder", (proxy, method, given) -> null);
    }

    private static void set(Class<?> exit, String setter, String type, InvocationHandler action)
            throws ReflectiveOperationException {
        Class<?> wanted = Class.forName(exit.getName() + "$" + type);
        Object made = Proxy.newProxyInstance(exit.getClassLoader(), new Class<?>[] {wanted}, action);
        exit.getMethod(setter, wanted).invoke(null, made);
    }

    private void serve() throws IOException, ReflectiveOperationException {
        PrintStream realErr = System.err;
        err.target = realErr;
        out.target = realErr;
        // Some tools remember System.out at class load, so the stream stays and its target moves.
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        catchExits();
        ExecutorService pool = Executors.newCachedThreadPool(work -> {
            Thread thread = new Thread(work);
            thread.setDaemon(true);
            return thread;
        });
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            JsonNode request = JSON.readTree(line);
            if (request.get("verb").asText().equals("stop")) {
                stopped.put(request.get("target").asInt(), true);
                end(request, null);
            } else {
                pool.submit(() -> answer(request));
            }
        }
    }

    private void answer(JsonNode request) {
        try {
            switch (request.get("verb").asText()) {
                case "ping" -> { }
                case "tool" -> tool(request);
                case "consume" -> consume(request);
                case "alter-quota" -> alterQuota(request);
                case "describe-quotas" -> describeQuotas(request);
                default -> throw new IllegalArgumentException("no such verb: " + request);
            }
            end(request, null);
        } catch (Throwable error) {
            Throwable cause = error.getCause() == null ? error : error.getCause();
            end(request, cause.getClass().getSimpleName() + ": " + cause.getMessage());
        }
    }

    // ---------------------------------------------------------------- tools

    private synchronized void tool(JsonNode request) throws Exception {
        List<String> arguments = new ArrayList<>();
        request.get("arguments").forEach(argument -> arguments.add(argument.asText()));
        ByteArrayOutputStream outBytes = new ByteArrayOutputStream();
        ByteArrayOutputStream errBytes = new ByteArrayOutputStream();
        OutputStream outBefore = out.target;
        OutputStream errBefore = err.target;
        firstExit = null;
        int code = 0;
        out.target = outBytes;
        err.target = errBytes;
        try {
            Class.forName(request.get("class").asText())
                .getMethod("main", String[].class)
                .invoke(null, (Object) arguments.toArray(new String[0]));
        } catch (InvocationTargetException thrown) {
            if (firstExit == null) {
                thrown.getCause().printStackTrace();
                code = 1;
            }
        } finally {
            if (firstExit != null) {
                code = firstExit.code;
            }
            System.out.flush();
            System.err.flush();
            out.target = outBefore;
            err.target = errBefore;
        }
        ObjectNode answer = JSON.createObjectNode();
        answer.put("exit", code);
        answer.put("stdout", outBytes.toString(StandardCharsets.UTF_8));
        answer.put("stderr", errBytes.toString(StandardCharsets.UTF_8));
        send(request, answer);
    }

    /** The first exit counts: a tool that catches it and exits again adds nothing any more. */
    private void exited(int code, String message) {
        if (firstExit == null) {
            if (message != null) {
                System.err.println(message);
            }
            System.out.flush();
            System.err.flush();
            firstExit = new Exited(code);
            out.target = OutputStream.nullOutputStream();
            err.target = OutputStream.nullOutputStream();
        }
        throw firstExit;
    }

    // ---------------------------------------------------------------- consuming

    private void consume(JsonNode request) {
        int id = request.get("id").asInt();
        int count = request.path("count").asInt(Integer.MAX_VALUE);
        long until = request.path("until").asLong(Long.MAX_VALUE);
        TopicPartition partition = new TopicPartition(
            request.path("topic").asText("__cluster_metadata"), request.path("partition").asInt(0));
        Map<String, Object> config = new HashMap<>();
        config.put("bootstrap.servers", request.get("servers").asText());
        config.put("enable.auto.commit", "false");
        config.put("auto.offset.reset", "none");
        request.path("config").fields()
            .forEachRemaining(entry -> config.put(entry.getKey(), entry.getValue().asText()));
        int seen = 0;
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            if (request.path("subscribe").asBoolean(false)) {
                consumer.subscribe(List.of(partition.topic()));
            } else {
                consumer.assign(List.of(partition));
                String from = request.path("from").asText("beginning");
                if (from.equals("beginning")) {
                    consumer.seekToBeginning(List.of(partition));
                } else if (from.equals("end")) {
                    consumer.seekToEnd(List.of(partition));
                } else {
                    consumer.seek(partition, Long.parseLong(from));
                }
                ObjectNode ready = JSON.createObjectNode();
                ready.put("position", consumer.position(partition));
                send(request, ready);
            }
            while (!stopped.containsKey(id) && seen < count) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    if (seen < count) {
                        send(request, describe(record));
                        seen++;
                    }
                }
                if (!consumer.assignment().isEmpty() && consumer.position(partition) >= until) {
                    break;
                }
            }
        }
    }

    private static ObjectNode describe(ConsumerRecord<byte[], byte[]> record) {
        ObjectNode row = JSON.createObjectNode();
        row.put("offset", record.offset());
        row.put("epoch", record.leaderEpoch().orElse(-1));
        row.put("timestamp", record.timestamp());
        row.put("timestampType", record.timestampType().name);
        row.put("key", base64(record.key()));
        row.put("value", base64(record.value()));
        row.put("headers", record.headers().toArray().length);
        return row;
    }

    private static String base64(byte[] bytes) {
        return bytes == null ? null : Base64.getEncoder().encodeToString(bytes);
    }

    // ---------------------------------------------------------------- quotas

    private void alterQuota(JsonNode request) throws Exception {
        Map<String, String> entity = new HashMap<>();
        request.get("entity").fields().forEachRemaining(
            entry -> entity.put(entry.getKey(), textOrNull(entry.getValue())));
        List<ClientQuotaAlteration.Op> ops = new ArrayList<>();
        request.get("ops").fields().forEachRemaining(entry -> ops.add(new ClientQuotaAlteration.Op(
            entry.getKey(), entry.getValue().isNull() ? null : entry.getValue().asDouble())));
        try (Admin admin = admin(request)) {
            admin.alterClientQuotas(
                List.of(new ClientQuotaAlteration(new ClientQuotaEntity(entity), ops)))
                .all().get(ADMIN_TIMEOUT_S, TimeUnit.SECONDS);
        }
    }

    private void describeQuotas(JsonNode request) throws Exception {
        List<ClientQuotaFilterComponent> components = new ArrayList<>();
        request.path("entity").fields().forEachRemaining(
            entry -> components.add(entry.getValue().isNull()
                ? ClientQuotaFilterComponent.ofDefaultEntity(entry.getKey())
                : ClientQuotaFilterComponent.ofEntity(entry.getKey(), entry.getValue().asText())));
        ClientQuotaFilter filter = components.isEmpty()
            ? ClientQuotaFilter.all() : ClientQuotaFilter.containsOnly(components);
        try (Admin admin = admin(request)) {
            Map<ClientQuotaEntity, Map<String, Double>> found = admin.describeClientQuotas(filter)
                .entities().get(ADMIN_TIMEOUT_S, TimeUnit.SECONDS);
            found.forEach((entity, quotas) -> {
                ObjectNode row = JSON.createObjectNode();
                ObjectNode names = row.putObject("entity");
                entity.entries().forEach(names::put);
                ObjectNode values = row.putObject("quotas");
                quotas.forEach(values::put);
                send(request, row);
            });
        }
    }

    private static Admin admin(JsonNode request) {
        Map<String, Object> config = new HashMap<>();
        config.put("bootstrap.servers", request.get("servers").asText());
        return Admin.create(config);
    }

    private static String textOrNull(JsonNode node) {
        return node.isNull() ? null : node.asText();
    }

    // ---------------------------------------------------------------- answers

    private void end(JsonNode request, String error) {
        ObjectNode row = JSON.createObjectNode();
        row.put("done", true);
        if (error != null) {
            row.put("error", error);
        }
        send(request, row);
    }

    private void send(JsonNode request, ObjectNode row) {
        row.put("id", request.get("id").asInt());
        String line = row.toString();
        synchronized (answers) {
            answers.println(line);
            answers.flush();
        }
    }

    /** What a tool throws instead of ending the process. */
    private static final class Exited extends RuntimeException {
        private final int code;

        Exited(int code) {
            super("exit " + code, null, false, false);
            this.code = code;
        }
    }

    /** A stream whose target can be exchanged while others hold it. */
    private static final class Redirect extends OutputStream {
        private volatile OutputStream target;

        @Override
        public void write(int one) throws IOException {
            target.write(one);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            target.write(bytes, from, length);
        }

        @Override
        public void flush() throws IOException {
            target.flush();
        }
    }
}
