package io.guidepost.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.server.cli.CommandRun;
import io.guidepost.server.cli.support.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimulateDmapCommandTest {
    private static final List<String> TINY = List.of(
            "--guids", "200", "--lookups", "2000", "--storage-guids", "2000", "--replicas-max", "5", "--threads", "2");

    @TempDir
    private Path folder;

    private static CommandRun run(List<String> size, String... more) {
        List<String> args = new ArrayList<>(List.of("simulate", "dmap"));
        args.addAll(size);
        args.addAll(List.of(more));
        return CommandRun.of(args.toArray(String[]::new));
    }

    @Test
    void filesOfUsersAreStudiedAndWrittenBesideThePaper() throws Exception {
        Path links = Files.writeString(folder.resolve("links"), "1 2 10000\n2 3 20000\n");
        Path table = Files.writeString(folder.resolve("table"), "0.0.0.0/1 1\n128.0.0.0/1 3\n");
        Path out = folder.resolve("out");
        CommandRun ran = run(
                TINY, "--topology", links.toString(), "--prefixes", table.toString(), "--out", out.toString());
        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(ran.out())
                .startsWith("3 ASes, 2 links, 2 prefixes of 2 ASes (100.0 % of all addresses)")
                .contains("74.5  57.1 172.8", "49.1  40.5  86.1", "measured + hedging + local copy", "Written into " + out);
        assertThat(out.resolve("closest.csv")).content().startsWith("assumption,replicas,mean_ms");
        assertThat(out.resolve("improvements.svg")).content().startsWith("<svg ");
    }

    @Test
    void inventedDataGiveJson() {
        CommandRun ran = run(TINY, "--ases", "200", "--links", "600", "--table-size", "3000", "--json");
        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(ran.out()).contains("\"ases\": 200", "\"links\": 600", "\"byReplicas\"", "\"p95Millis\"");
    }

    @Test
    void whatCannotBeIsRefusedInOneLine() throws Exception {
        Path links = Files.writeString(folder.resolve("links"), "1 2 10000\n2 3\n");
        Path table = Files.writeString(folder.resolve("table"), "0.0.0.0/1 77\n");
        assertThat(run(TINY, "--topology", links.toString()).err()).contains("--topology and --prefixes both");
        CommandRun faulty = run(TINY, "--topology", links.toString(), "--prefixes", table.toString());
        assertThat(faulty.code()).isEqualTo(ExitCode.USAGE);
        assertThat(faulty.err()).contains(links + ":2: no latency after the ASes");
        Files.writeString(links, "1 2 10000\n");
        CommandRun apart = run(TINY, "--topology", links.toString(), "--prefixes", table.toString());
        assertThat(apart.code()).isEqualTo(ExitCode.USAGE);
        assertThat(apart.err()).contains("no IPv4 prefix belongs to an AS that has a server");
        assertThat(run(TINY, "--ases", "10", "--links", "3").err()).contains("at least 2 ASes, and links for each");
        assertThat(run(TINY, "--jitter", "9").err()).contains("jitter is from 0 to 3");
    }
}
