package io.guidepost.server.cli.scaffold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.guidepost.server.BuiltServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What hosts behind NATs, TFTP, and UDP over IPv6 and by labels do with real kernels, and programs that are not ours. */
@Tag("long")
class NetworkScenesTest {
    private static final int SECONDS_MAX = 240;

    @TempDir
    private Path folder;

    @Test
    void aDownloadByTftpBeginsThroughTwoNatsAndGoesOnAtTheOtherServer() throws Exception {
        assumeTrue(ScaffoldDemoTest.mayMakeNetworks() && System.getProperty("user.name").equals("root"), "no namespaces here");
        for (String each : List.of("nft", "in.tftpd", "curl")) {
            assumeTrue(DemoNetwork.has(each), each + " is not installed");
        }
        Path said = folder.resolve("said");
        List<String> scenes = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                "-cp", System.getProperty("java.class.path"), NetworkScenes.class.getName(), folder.resolve("hosts").toString()));
        scenes.addAll(BuiltServer.command(List.of()));
        Process process = new ProcessBuilder(DemoNetwork.inNamespaces(scenes))
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            process.onExit().orTimeout(SECONDS_MAX, TimeUnit.SECONDS).join();
        } finally {
            process.destroyForcibly();
        }
        assertThat(Files.readAllLines(said))
                .containsExactly(
                        "began through both NATs: true",
                        "first is whole: true",
                        "it went on elsewhere: true",
                        "by IPv6 is whole: true",
                        "most of it by labels: true",
                        "an idle connection went on elsewhere before it was used: true",
                        "both are whole: true");
    }
}
