package io.guidepost.server.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.server.RunningServer;
import io.guidepost.server.cli.CommandRun;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Routes that loop and exits without links are told wherever an operator looks. */
class TopologyDefectsTest {
    private static final String LOOP = "explicit routes to 10.0.0.9 loop: 10.0.0.1 > 10.0.0.2 > 10.0.0.1";
    private static final String EXIT = "exit 10.0.0.9 is a router to which no link leads: of 1 prefixes there, 1 have no other";

    @TempDir
    private Path folder;

    private Path main;

    @BeforeEach
    void files() throws Exception {
        main = Files.writeString(folder.resolve("oracle.conf"), """
                configdir %s
                router 10.0.0.1 2
                router 10.0.0.2 2
                router 10.0.0.9 1
                snetwork 130.149.1.0/24 10.0.0.1 1
                enetwork 20.0.0.0/8 10.0.0.9 0 64500 2
                """.formatted(Files.createDirectory(folder.resolve("routers"))));
        String router = "nic 0 192.0.2.%d 192.0.2.%d UP\nlink 0 1 100 0 1\nroute 0 10.0.0.9\n";
        Files.writeString(folder.resolve("routers/10.0.0.1.conf"), router.formatted(1, 2));
        Files.writeString(folder.resolve("routers/10.0.0.2.conf"), router.formatted(2, 1));
        Files.writeString(folder.resolve("routers/10.0.0.9.conf"), "status UP\n");
    }

    @Test
    void commandsTellThem() throws Exception {
        assertThat(CommandRun.of("topology", "show", main.toString()).out()).contains("defect     " + LOOP, "defect     " + EXIT);
        assertThat(CommandRun.of("topology", "show", main.toString(), "--json").out())
                .contains("\"route_loops\": 1", "\"unreachable_exits\": 1", "\"unranked_prefixes\": 1", LOOP);
        assertThat(CommandRun.of("doctor", "-s", "proximity.files=" + main).out()).contains(LOOP, EXIT);
        Files.writeString(main, "router nonsense 1\n");
        assertThat(CommandRun.of("doctor", "-s", "proximity.files=" + main)).satisfies(run -> {
            assertThat(run.code()).isEqualTo(1);
            assertThat(run.out()).contains(main + ":1: ", "mend the file");
        });
    }

    @Test
    void theServerTellsThem() throws Exception {
        try (RunningServer server = RunningServer.start(folder, "proximity.files=" + main)) {
            assertThat(server.page("/topology")).contains("\"route_loops\": 1", LOOP, EXIT);
            assertThat(server.metric("guidepost_topology_defects{what=\"route_loops\"}")).isEqualTo(1);
            assertThat(server.metric("guidepost_topology_defects{what=\"unranked_prefixes\"}")).isEqualTo(1);
        }
    }
}
