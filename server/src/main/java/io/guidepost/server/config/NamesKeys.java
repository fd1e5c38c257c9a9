package io.guidepost.server.config;

import io.guidepost.base.Prefix;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The rows of {@link ConfigurationKeys} for names over HTTP. */
public final class NamesKeys {
    static final List<Key<?>> ROWS = new ArrayList<>();

    public static final Key<Boolean> NAMES_ENABLED = fixed("names.enabled",
            ValueKind.flag(), false,
            "Whether names are answered over HTTP and JSON: places, lists, watches, leases; on a fleet places and lists.");
    public static final Key<List<InetAddress>> NAMES_LISTEN = fixed("names.listen",
            AddressKinds.listen(),
            List.of("::"),
            "Addresses on which names are answered over HTTP.");
    public static final Key<Long> NAMES_HTTP_PORT = fixed("names.http-port",
            ValueKind.whole(0, 65535), 5083L,
            "TCP port of HTTP and HTTPS, which share it; 0 takes a free one and says which.");
    public static final Key<Path> NAMES_FOLDER = fixed("names.folder",
            PathKinds.madeFolder(), Path.of("guidepost-names"),
            "Folder of the certificate that is made at the first start where http.tls-certificate names none.");
    public static final Key<List<Prefix>> NAMES_READERS = reloaded("names.readers",
            AddressKinds.prefixes(),
            List.of("0.0.0.0/0", "::/0"),
            "Clients that may read without a token.");
    public static final Key<List<Prefix>> NAMES_WRITERS = reloaded("names.writers",
            AddressKinds.prefixes(),
            List.of("127.0.0.0/8", "::1/128"),
            "Clients that may write all names without a token; pages of browsers need one wherever they come from.");
    public static final Key<Path> NAMES_TOKENS = reloaded("names.token-file",
            PathKinds.file(), Path.of(""),
            "File of the hashes of writers' tokens and certificates, each with the prefix of names that may be written;"
                    + " see guidepost token new.");
    public static final Key<Long> NAMES_HISTORY_BYTES = fixed("names.history-bytes",
            ValueKind.bytes(64 << 10, 16L << 30), 8L << 20,
            "Changes kept in memory for watchers; one that falls further behind begins again with a snapshot.");

    private NamesKeys() {}

    private static <T> Key<T> fixed(String name, ValueKind<T> kind, Object standard, String sentence) {
        return row(new Key<>(name, kind, standard, false, sentence));
    }

    private static <T> Key<T> reloaded(String name, ValueKind<T> kind, Object standard, String sentence) {
        return row(new Key<>(name, kind, standard, true, sentence));
    }

    private static <T> Key<T> row(Key<T> key) {
        ROWS.add(key);
        return key;
    }
}
