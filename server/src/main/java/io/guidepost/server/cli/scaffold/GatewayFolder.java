package io.guidepost.server.cli.scaffold;

import io.guidepost.base.DurableFiles;
import io.guidepost.base.Malformed;
import io.guidepost.base.Pem;
import io.guidepost.scaffold.key.Delegation;
import io.guidepost.scaffold.key.HostKey;
import io.guidepost.scaffold.key.ObjectKey;
import io.guidepost.web.JsonValue;
import io.guidepost.web.JsonWriter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The folder of a gateway.
 *
 * <pre>
 *  host.pem                the host's key, whose hash is its GUID
 *  NAME.key.pem            the key of an object: it decides which hosts may serve the object
 *  NAME.delegation.pem     that this host may
 *  NAME.service.json       what the gateway offers, also after a restart
 *  flows                   flows that stand, for the next process of the gateway
 *  gateway.sock            where a running gateway takes commands
 * </pre>
 *
 * @param path where it is
 */
record GatewayFolder(Path path) {
    static final String DELEGATION = "GUIDEPOST DELEGATION";

    private static final String KEY = ".key.pem";
    private static final String SERVICE = ".service.json";

    /** Makes it if it is missing; others than its owner see nothing of it. */
    void make() throws IOException {
        if (!Files.isDirectory(path)) {
            DurableFiles.createFolders(path);
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
        }
    }

    Path socket() {
        return path.resolve("gateway.sock");
    }

    /**
     * Sends a request to the gateway that runs here: a line of JSON to its socket, and one back.
     *
     * @throws IOException if none answers
     */
    Map<String, Object> ask(Map<String, Object> request) throws IOException {
        String line;
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket()))) {
            OutputStream out = Channels.newOutputStream(channel);
            out.write((JsonWriter.line(request) + "\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
            line = new BufferedReader(new InputStreamReader(Channels.newInputStream(channel), StandardCharsets.UTF_8)).readLine();
        } catch (IOException e) {
            throw new IOException("no gateway answers in the folder " + path + " (" + e.getMessage()
                    + "): start one with guidepost scaffold gateway, or name its folder with --folder", e);
        }
        return read(socket(), () -> JsonValue.read((line == null ? "" : line).getBytes(StandardCharsets.UTF_8)).whole().object());
    }

    Path service(String name) {
        return path.resolve(name + SERVICE);
    }

    List<Path> services() throws IOException {
        return named(SERVICE);
    }

    /** Returns the names of the objects whose keys are here. */
    List<String> objects() throws IOException {
        return named(KEY).stream()
                .map(each -> each.getFileName().toString())
                .map(each -> each.substring(0, each.length() - KEY.length()))
                .toList();
    }

    private List<Path> named(String end) throws IOException {
        if (!Files.isDirectory(path)) {
            throw new NoSuchFileException(path.toString());
        }
        try (Stream<Path> files = Files.list(path)) {
            return files.filter(each -> each.getFileName().toString().endsWith(end)).sorted().toList();
        }
    }

    /** Returns the host's key, made at the first time. */
    HostKey hostKey() throws IOException {
        Path file = path.resolve("host.pem");
        byte[] bytes = DurableFiles.secret(file, () -> HostKey.generate(new SecureRandom()).write());
        return read(file, () -> HostKey.read(bytes));
    }

    /** Returns the key of an object, made at the first time. */
    ObjectKey objectKey(String name) throws IOException {
        Path file = path.resolve(name + KEY);
        byte[] bytes = DurableFiles.secret(file, () -> ObjectKey.generate(new SecureRandom()).write());
        return read(file, () -> ObjectKey.read(bytes));
    }

    /** Returns a delegation that a file holds. */
    static Delegation delegation(Path file) throws IOException {
        byte[] text = Files.readAllBytes(file);
        return read(file, () -> Delegation.read(Pem.read(DELEGATION, text)));
    }

    /** Returns a name as objects have them, in lower case. */
    static String name(String text) throws IOException {
        String name = text.toLowerCase(Locale.ROOT);
        if (!name.matches("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*")) {
            throw new IOException("'" + text + "' is no name of an object: letters, digits and - between dots, such as web or api.web");
        }
        return name;
    }

    private interface Reading<T> {
        T read() throws Malformed;
    }

    private static <T> T read(Path file, Reading<T> reading) throws IOException {
        try {
            return reading.read();
        } catch (Malformed e) {
            throw new IOException(file + ": " + e.reason(), e);
        }
    }
}
