package metaquorum.kafkatests;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Key and trust stores of a test as a node of ours reads them: PKCS12, as keytool converts them. */
final class Stores {
    private static final String KEY_PASSWORD = "ssl.key.password";

    private Stores() { }

    /** Have these properties of a node name converted files where they name JKS files. */
    static void convert(Map<String, String> properties) {
        for (String store : List.of("ssl.keystore", "ssl.truststore")) {
            if ("JKS".equals(properties.get(store + ".type")) && properties.containsKey(store + ".location")) {
                try {
                    convert(properties, store);
                } catch (IOException error) {
                    throw new UncheckedIOException(error);
                } catch (GeneralSecurityException error) {
                    throw new IllegalStateException(store + " cannot be converted", error);
                }
            }
        }
    }

    private static void convert(Map<String, String> properties, String store)
            throws IOException, GeneralSecurityException {
        char[] password = properties.get(store + ".password").toCharArray();
        char[] keyPassword = properties.getOrDefault(KEY_PASSWORD, new String(password)).toCharArray();
        KeyStore from = KeyStore.getInstance("JKS");
        try (InputStream in = new FileInputStream(properties.get(store + ".location"))) {
            from.load(in, password);
        }
        KeyStore converted = KeyStore.getInstance("PKCS12");
        converted.load(null, password);
        for (String alias : Collections.list(from.aliases())) {
            if (from.isKeyEntry(alias)) {
                converted.setKeyEntry(alias, from.getKey(alias, keyPassword), password,
                    from.getCertificateChain(alias));
                properties.put(KEY_PASSWORD, new String(password)); // PKCS12 has one password
            } else {
                converted.setCertificateEntry(alias, from.getCertificate(alias));
            }
        }
        File file = File.createTempFile("store-", ".p12");
        file.deleteOnExit();
        try (OutputStream out = new FileOutputStream(file)) {
            converted.store(out, password);
        }
        properties.put(store + ".location", file.getAbsolutePath());
        properties.put(store + ".type", "PKCS12");
    }
}
