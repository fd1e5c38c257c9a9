package io.guidepost.server.scaffold;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Malformed;
import io.guidepost.scaffold.key.HostKey;
import io.guidepost.scaffold.key.ObjectKey;
import io.guidepost.scaffold.wire.Tlv;
import io.guidepost.server.BuiltServer;
import io.guidepost.server.RunningServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills an object router with SIGKILL while a host registers objects, and looks whether each that was acknowledged is there. */
class RegistrationsKilledTest {
    private static final Pattern READY = Pattern.compile("scaffold at 127\\.0\\.0\\.1:(\\d+)");
    private static final int ROUNDS = 3;

    @TempDir
    private Path folder;

    private final HostKey host = ScaffoldClient.newKey();
    private final List<ObjectKey> acknowledged = new ArrayList<>();

    private Process start(int round) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("serve"));
        for (String each : List.of(
                "store.folder=" + folder.resolve("store"),
                "store.durability=fsync",
                "gnrs.enabled=false",
                "admin.port=-1",
                "scaffold.enabled=true",
                "scaffold.listen=127.0.0.1",
                "scaffold.port=0",
                "scaffold.folder=" + folder.resolve("scaffold"))) {
            arguments.addAll(List.of("--set", each));
        }
        List<String> command = BuiltServer.command(List.of("-Xmx256m"), arguments);
        return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log(round).toFile()).start();
    }

    private Path log(int round) {
        return folder.resolve("log-" + round);
    }

    private InetSocketAddress address(Process process, int round) {
        Matcher[] ready = new Matcher[1];
        assertThat(RunningServer.eventually(() -> {
                    try {
                        ready[0] = READY.matcher(Files.readString(log(round)));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                    return ready[0].find() || !process.isAlive();
                }))
                .isTrue();
        assertThat(process.isAlive()).isTrue();
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(ready[0].group(1)));
    }

    /** Registers one object after the other until the server is gone. */
    private void register(ScaffoldClient client, AtomicInteger done) {
        try {
            while (true) {
                ObjectKey object = ScaffoldClient.newObject();
                client.register(object, 80, "");
                assertThat(client.answer.has(Tlv.REASON)).isFalse();
                acknowledged.add(object);
                done.incrementAndGet();
            }
        } catch (IOException e) {
            // The server has been killed.
        }
    }

    private void check(ScaffoldClient client) throws IOException {
        for (ObjectKey each : acknowledged) {
            client.resolve(each.guid());
            assertThat(client.answer.has(Tlv.REASON)).as("acknowledged, so there").isFalse();
            assertThat(client.answer.guid(Tlv.INSTANCE)).isEqualTo(client.instance(each, 80));
        }
    }

    private ScaffoldClient joined(InetSocketAddress at) throws IOException, Malformed {
        return ScaffoldClient.joined(at, host);
    }

    @Test
    void nothingAcknowledgedIsLostByKills() throws Exception {
        for (int round = 0; round <= ROUNDS; round++) {
            Process server = start(round);
            try (ScaffoldClient client = joined(address(server, round))) {
                check(client);
                AtomicInteger done = new AtomicInteger();
                Thread registering = Thread.ofVirtual().start(() -> register(client, done));
                int enough = 20 + 30 * round;
                assertThat(RunningServer.eventually(() -> done.get() >= enough)).isTrue();
                server.destroyForcibly().waitFor();
                client.abort();
                registering.join();
            } finally {
                server.destroyForcibly();
            }
        }
        assertThat(acknowledged).hasSizeGreaterThan(100);
    }
}
