package io.guidepost.server.cli.handle;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.server.BuiltServer;
import io.guidepost.server.RunningServer;
import io.guidepost.server.cli.InProcessCommands;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server of handles in a process of its own, with its own memory, that can be killed. It answers over TCP and HTTP at
 * ports that it chose; 301:0.NA/1234 may do anything and has the secret {@link #SECRET}.
 */
final class HandleServerProcess implements AutoCloseable {
    static final String SECRET = "a secret";
    static final String USER = "301%3A0.NA/1234:" + SECRET;

    private static final Pattern READY =
            Pattern.compile("handles are answered over TCP at [0-9.]+:(\\d+), over HTTP at [0-9.]+:(\\d+)");

    private final Process process;
    private final int tcp;
    private final int http;

    private HandleServerProcess(Process process, Matcher ready) {
        this.process = process;
        this.tcp = Integer.parseInt(ready.group(1));
        this.http = Integer.parseInt(ready.group(2));
    }

    /** Writes of further records, in batch form. */
    interface Records {
        void write(BufferedWriter batch) throws IOException;
    }

    /** Makes the store of a server: the prefix 1234, who may do anything, and further records. */
    static void moveIn(Path folder, Records further) throws IOException {
        Path batch = folder.resolve("first.batch");
        try (BufferedWriter out = Files.newBufferedWriter(batch)) {
            out.write("HOME 127.0.0.1:2641:TCP\n0.NA/1234\n\nCREATE 0.NA/1234\n"
                    + "301 HS_SECKEY 86400 1100 UTF8 " + SECRET + "\n");
            further.write(out);
        }
        InProcessCommands.run("import", "handle", batch.toString(), "--set", store(folder));
        Files.delete(batch);
    }

    private static String store(Path folder) {
        return "store.folder=" + folder.resolve("store");
    }

    /** Where a server in this folder has its certificate. */
    static Path certificate(Path folder) {
        return folder.resolve("handle/serverCertificate.pem");
    }

    /**
     * Starts one and waits until it answers.
     *
     * @param folder has its store, its keys and its log
     * @param java further options of the JVM
     * @param settings further settings
     */
    static HandleServerProcess start(Path folder, List<String> java, List<String> settings) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("serve"));
        List<String> all = new ArrayList<>(List.of(
                store(folder),
                "gnrs.listen=127.0.0.1",
                "gnrs.port=0",
                "admin.port=-1",
                "handle.enabled=true",
                "handle.folder=" + folder.resolve("handle"),
                "handle.listen=127.0.0.1",
                "handle.udp-port=-1",
                "handle.tcp-port=0",
                "handle.http-port=0",
                "handle.server-admins=301:0.NA/1234",
                "handle.permit=prefix-admins,listing,client-certificates,server-admin-full-access"));
        all.addAll(settings);
        all.forEach(each -> arguments.addAll(List.of("--set", each)));
        List<String> command = BuiltServer.command(java, arguments);
        Path log = folder.resolve("log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        RunningServer.eventually(() -> ready(log).find() || !process.isAlive());
        Matcher ready = ready(log);
        if (!ready.find()) {
            process.destroyForcibly();
            assertThat(Files.readString(log)).as("what the server said").containsPattern(READY);
        }
        return new HandleServerProcess(process, ready);
    }

    private static Matcher ready(Path log) {
        try {
            return READY.matcher(Files.readString(log));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int tcp() {
        return tcp;
    }

    int http() {
        return http;
    }

    /** Bytes in memory that no file backs: heap, index, what is mapped or allocated beside them. */
    long memoryOfItsOwn() throws IOException {
        String line = Files.readString(Path.of("/proc/" + process.pid() + "/status"))
                .lines()
                .filter(each -> each.startsWith("RssAnon:"))
                .findFirst()
                .orElseThrow();
        return 1024 * Long.parseLong(line.replaceAll("[^0-9]", ""));
    }

    /** SIGKILL: nothing is finished. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Has it end by itself. */
    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
