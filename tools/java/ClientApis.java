import java.lang.reflect.Array;
import java.lang.reflect.Method;
import org.apache.kafka.common.protocol.ApiKeys;

/**
 * Prints what the kafka-clients on the class path can send: one line an API with its key, name,
 * and lowest and highest version. By reflection, since releases before 1.0 keep their schemas in a
 * class of their own and give an API no range.
 */
public final class ClientApis {
    private ClientApis() {
    }

    public static void main(String[] arguments) throws Exception {
        for (ApiKeys api : ApiKeys.values()) {
            short key = api.id;
            String range = ranged(api);
            System.out.println(key + " " + api.name + " " + (range == null ? tabled(key) : range));
        }
    }

    private static String ranged(ApiKeys api) throws Exception {
        Method lowest;
        Method highest;
        try {
            lowest = ApiKeys.class.getMethod("oldestVersion");
            highest = ApiKeys.class.getMethod("latestVersion");
        } catch (NoSuchMethodException before) {
            return null;
        }
        return lowest.invoke(api) + " " + highest.invoke(api);
    }

    /** Before 1.0: a table of schemas by key and version, with null for what is gone. */
    private static String tabled(short key) throws Exception {
        Class<?> protocol = Class.forName("org.apache.kafka.common.protocol.Protocol");
        Object versions = Array.get(protocol.getField("REQUESTS").get(null), key);
        int low = 0;
        while (low < Array.getLength(versions) && Array.get(versions, low) == null) {
            low++;
        }
        return low + " " + (Array.getLength(versions) - 1);
    }
}
