import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.Set;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * Reads MBeans of JVMs with a remote JMX port on loopback.
 *
 * A request is a line "PORT PATTERN"; the answer is a line of JSON: for each bean that the pattern
 * matches its attributes that are numbers, booleans or texts. A port that nobody answers at gives
 * {"error": "..."}.
 */
public final class ReadBeans {
    private static final ObjectMapper JSON = new ObjectMapper();

    private ReadBeans() {
    }

    public static void main(String[] arguments) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ", 2);
            ObjectNode answer;
            try {
                answer = beans(words[0], words[1]);
            } catch (Exception error) {
                answer = JSON.createObjectNode();
                answer.put("error", String.valueOf(error));
            }
            System.out.println(JSON.writeValueAsString(answer));
            System.out.flush();
        }
    }

    private static ObjectNode beans(String port, String pattern) throws Exception {
        JMXServiceURL url = new JMXServiceURL(
            "service:jmx:rmi:///jndi/rmi://127.0.0.1:" + port + "/jmxrmi");
        ObjectNode found = JSON.createObjectNode();
        try (JMXConnector connector = JMXConnectorFactory.connect(url)) {
            MBeanServerConnection server = connector.getMBeanServerConnection();
            Set<ObjectName> names = server.queryNames(new ObjectName(pattern), null);
            for (ObjectName name : names) {
                found.set(name.toString(), attributes(server, name));
            }
        }
        return found;
    }

    private static ObjectNode attributes(MBeanServerConnection server, ObjectName name)
            throws Exception {
        MBeanAttributeInfo[] known = server.getMBeanInfo(name).getAttributes();
        String[] wanted = new String[known.length];
        for (int at = 0; at < known.length; at++) {
            wanted[at] = known[at].getName();
        }
        ObjectNode row = JSON.createObjectNode();
        AttributeList values = server.getAttributes(name, wanted);
        for (Attribute attribute : values.asList()) {
            Object value = attribute.getValue();
            if (value instanceof Number number) {
                row.put(attribute.getName(), number.doubleValue());
            } else if (value instanceof Boolean || value instanceof String) {
                row.put(attribute.getName(), value.toString());
            }
        }
        return row;
    }
}
