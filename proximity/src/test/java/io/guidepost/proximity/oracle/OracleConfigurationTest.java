package io.guidepost.proximity.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.guidepost.base.Address;
import io.guidepost.base.FaultyFile;
import io.guidepost.base.Prefix;
import io.guidepost.proximity.Findings;
import io.guidepost.proximity.topology.ExplicitRoute;
import io.guidepost.proximity.topology.Nic;
import io.guidepost.proximity.topology.OperatorNetwork;
import io.guidepost.proximity.topology.PrefixAttachment;
import io.guidepost.proximity.topology.RoutingMode;
import io.guidepost.proximity.topology.TopologyLink;
import io.guidepost.proximity.topology.TopologyRouter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Oracle's files: every statement, every refusal, and what is borne with a warning. */
class OracleConfigurationTest {
    @TempDir
    private Path folder;

    private Path write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    /** Reads a main file and its router files, which must have no faults. */
    static OracleConfiguration read(Path file) throws IOException, FaultyFile {
        Findings findings = new Findings();
        OracleConfiguration read = OracleConfiguration.read(file, OracleSettings.DEFAULTS, findings);
        findings.check();
        return read;
    }

    private static Address address(String text) throws Exception {
        return Address.parse(text);
    }

    /** As the configuration that came with the original: 15 cards, networks on the last, routes by a card that is not there. */
    @Test
    void readsWhatTheOriginalReads() throws Exception {
        Path main = write(
                "oracle.conf",
                """
                configdir\tnet
                routers 40
                threads 2
                router 10.0.0.1 15
                router 10.0.0.2   15
                router 10.0.0.3 15
                snetwork 130.149.221.0/24 10.0.0.1 14
                enetwork 0.0.0.0/2 10.0.0.2 14 1 5
                enetwork 0.0.0.0/4 10.0.0.2 14 2778 6
                """);
        write(
                "net/10.0.0.1.conf",
                """
                nic 0 10.1.0.1 10.1.0.2 UP
                nic 1 10.1.1.1 10.1.1.2 UP
                nic 2 10.1.2.1 10.1.2.2 DOWN
                nic 5 10.1.5.1 10.1.5.2 UP
                link 0 35 100 0 1
                link 1 35 10 0 1
                link 2 40 10 0 1
                link 5 4 10 0 1
                route 0 10.0.0.2
                route 4 10.0.0.3
                route 4 10.0.0.4
                """);
        write("net/10.0.0.2", "nic 0 10.1.0.2 10.1.0.1 up\nlink 0 35 100 0 1\nroute 0 10.0.0.1\n");
        Findings findings = new Findings();
        OracleConfiguration read = OracleConfiguration.read(main, OracleSettings.DEFAULTS, findings);
        findings.check();

        assertThat(read.settings().routersMax()).isEqualTo(40);
        assertThat(read.settings().threads()).isEqualTo(2);
        assertThat(read.settings().port()).isEqualTo(8899);
        assertThat(read.settings().routing()).contains(RoutingMode.EXPLICIT);
        OperatorNetwork network = read.network();
        TopologyRouter first = network.topology().routers().get(address("10.0.0.1"));
        assertThat(first).isNotNull();
        assertThat(first.enabled()).isTrue();
        assertThat(first.nicCount()).isEqualTo(15);
        assertThat(first.nics()).hasSize(4).contains(
                new Nic(2, address("10.1.2.1"), address("10.1.2.2"), false, new TopologyLink(40, 10, 0, 1)));
        assertThat(first.routes()).containsExactly(new ExplicitRoute(0, address("10.0.0.2")));
        assertThat(network.topology().routers().get(address("10.0.0.3")))
                .isEqualTo(new TopologyRouter(address("10.0.0.3"), false, 15, List.of(), List.of()));
        assertThat(network.attachments(Prefix.parse("130.149.221.0/24")))
                .containsExactly(PrefixAttachment.internal(address("10.0.0.1"), 14));
        assertThat(network.attachments(Prefix.parse("0.0.0.0/4")))
                .containsExactly(PrefixAttachment.external(address("10.0.0.2"), 14, 2778, 6));
        String net = folder.resolve("net").toAbsolutePath().toString();
        assertThat(findings.warnings())
                .containsExactly(
                        net + "/10.0.0.1.conf:10: the route to 10.0.0.3 leaves by card 4, which is not described here, and"
                                + " is ignored: write nic I OWN PEER UP|DOWN",
                        net + "/10.0.0.1.conf:11: the route to 10.0.0.4 leaves by card 4, which is not described here, and"
                                + " is ignored: write nic I OWN PEER UP|DOWN",
                        net + ": 1 of 3 routers have no file here, so they are not connected, and disabled",
                        net + ": card 1 of router 10.0.0.1 leads to 10.1.1.2, which no card has, so there is no link",
                        net + ": card 5 of router 10.0.0.1 leads to 10.1.5.2, which no card has, so there is no link");
    }

    @Test
    void readsWhatIsMoreThanTheOriginal() throws Exception {
        Path main = write(
                "main",
                """
                # a comment
                enetwork 2001:db8::/32 2001:db8::1 0 1.0 3   # the router is declared further down
                port 9000
                iroutes impl
                router 2001:db8::1 2
                """);
        write("2001:db8:0:0::1.conf", "status DOWN\nnic 0 - - UP\nlink 0 0.5 1e4 0.25 1.5\n");
        OracleConfiguration read = read(main);
        assertThat(read.settings().port()).isEqualTo(9000);
        assertThat(read.network().topology().routing()).isEqualTo(RoutingMode.IMPLICIT);
        Address id = address("2001:db8::1");
        assertThat(read.network().topology().routers().get(id))
                .isEqualTo(new TopologyRouter(
                        id, false, 2, List.of(new Nic(0, null, null, true, new TopologyLink(0.5, 10_000, 0.25, 1.5))), List.of()));
        assertThat(read.network().attachments(Prefix.parse("2001:db8::/32")))
                .containsExactly(PrefixAttachment.external(id, 0, 65_536, 3));
    }

    @Test
    void tellsAllFaultsOfAllFilesAtOnce() throws Exception {
        Path main = write(
                "oracle.conf",
                """
                routers 1
                threads 0
                router 10.0.0.1 3
                router 10.0.0.1 4
                router 10.0.0.2
                router 10.0.0.3 2
                snetwork 10.1.0.0 10.0.0.1 0
                snetwork 10.1.0.0/16 10.0.0.9 0
                snetwork 10.2.0.0/16 10.0.0.9 0
                enetwork 10.1.0.0/16 10.0.0.1 3 7 1
                enetwork 10.1.0.0/16 10.0.0.1 0 7
                snetwork 10.1.0.0/16 10.0.0.1 0 0
                network 10.1.0.0/16
                iroutes maybe
                """);
        Path router = write(
                "10.0.0.1.conf",
                """
                nic 3 10.9.0.1 10.9.0.2 UP
                nic 0 10.9.0.1 10.9.0.2 OPEN
                link 1 1 1 1 1
                link 0 x 1 1 1
                link 0 1 0 1 1
                """);
        FaultyFile refused = catchThrowableOfType(FaultyFile.class, () -> read(main));
        String at = main + ":";
        String of = router.toAbsolutePath() + ":";
        assertThat(refused.faults())
                .containsExactly(
                        at + "2: '0' is not a number of threads: write a number from 1 to 1024",
                        at + "4: router 10.0.0.1 is declared already: take one of the two away",
                        at + "5: the number of cards is missing: write router ADDRESS NICS",
                        at + "7: '10.1.0.0' has no /length: write address/length such as 10.1.0.0/16 or 2001:db8::/32",
                        at + "11: the AS distance is missing: write enetwork PREFIX ROUTER NIC AS DISTANCE",
                        at + "12: '0' is one column too many: write snetwork PREFIX ROUTER NIC",
                        at + "13: 'network' is not a statement: write configdir, routers, threads, port, iroutes, router,"
                                + " snetwork or enetwork",
                        at + "14: 'maybe' is no routing mode: write expl (along the route lines) or impl (by weights)",
                        at + "8: router 10.0.0.9 is not declared, but networks are attached to it (2 in all): write router"
                                + " 10.0.0.9 NICS",
                        at + "10: router 10.0.0.1 has no card 3, only 3 from 0 on: declare it with more, or name another"
                                + " card",
                        at + "1: 2 routers are declared, but there may be 1: write a larger number after routers",
                        of + "1: router 10.0.0.1 has no card 3, only 3 from 0 on: declare it with more in the main file",
                        of + "2: 'OPEN' is not a status: write UP or DOWN",
                        of + "4: 'x' is not a latency in milliseconds: write a number such as 35 or 0.5",
                        of + "5: bandwidth and weight are more than 0: write link I LATENCY BANDWIDTH CONGESTION WEIGHT",
                        of + "3: card 1 is not described: write nic I OWN PEER UP|DOWN");
    }

    @Test
    void aDumpReadAgainIsTheSameNetwork() throws Exception {
        for (long seed = 1; seed <= 60; seed++) {
            OperatorNetwork network = RandomOracleNetworks.of(new SplittableRandom(seed));
            assertThat(OracleDump.write(network, OracleSettings.DEFAULTS, folder)).isEmpty();
            OracleConfiguration again = read(folder.resolve(OracleDump.MAIN_FILE));
            assertThat(NetworkText.of(again.network())).as("seed " + seed).isEqualTo(NetworkText.of(network));
        }
        assertThat(folder.toFile().list()).as("one main file, the router files, and those of the dump before").hasSize(3);
    }

    @Test
    void aDumpThatFailsLeavesTheLastOne() throws Exception {
        OperatorNetwork network = RandomOracleNetworks.of(new SplittableRandom(7));
        OracleDump.write(network, OracleSettings.DEFAULTS, folder);
        // In place of the main file the next dump finds a folder that is not empty.
        Path other = folder.resolve("other");
        Files.createDirectories(other.resolve(OracleDump.MAIN_FILE).resolve("x"));
        assertThat(catchThrowableOfType(
                        IOException.class, () -> OracleDump.write(network, OracleSettings.DEFAULTS, other)))
                .isNotNull();
        assertThat(other.toFile().list()).containsExactly(OracleDump.MAIN_FILE);
        assertThat(NetworkText.of(read(folder.resolve(OracleDump.MAIN_FILE)).network()))
                .isEqualTo(NetworkText.of(network));
    }

    @Test
    void aDumpSaysWhatItLeavesOut() throws Exception {
        OperatorNetwork network = new OperatorNetwork();
        network.add(Prefix.parse("10.0.0.0/8"), PrefixAttachment.internal(address("10.0.0.1"), 0));
        assertThat(OracleDump.write(network, OracleSettings.DEFAULTS, folder))
                .containsExactly(folder.resolve("oracle.conf")
                        + ": 1 attachments of prefixes were left out: they are at missing routers, or at cards"
                        + " that cannot be");
        assertThat(read(folder.resolve("oracle.conf")).network().prefixes()).isZero();
    }

    /** Whatever the files say, they are read or refused by name and line. */
    @Test
    void spoiltFilesAreReadOrRefused() throws Exception {
        List<String> lines = List.of(
                "configdir .", "routers 5", "threads 2", "port 9", "iroutes impl", "router 10.0.0.1 4", "router 10.0.0.2 2",
                "snetwork 10.1.0.0/16 10.0.0.1 1", "enetwork 2001:db8::/32 10.0.0.2 0 1.0 3",
                "nic 0 10.0.1.1 10.0.1.2 UP", "link 0 1 10 0 1", "route 0 10.0.0.2", "status UP");
        int refused = 0;
        for (long seed = 1; seed <= 400; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            StringBuilder main = new StringBuilder();
            StringBuilder router = new StringBuilder();
            for (int i = 0; i < 12; i++) {
                int row = random.nextInt(lines.size());
                (row < 9 || random.nextInt(9) == 0 ? main : router).append(spoilt(lines.get(row), random)).append('\n');
            }
            Path file = write("main", main.toString());
            write("10.0.0.1.conf", router.toString());
            try {
                read(file);
            } catch (FaultyFile e) {
                assertThat(e.faults()).allMatch(each -> each.matches("(?s).*:[0-9]+: .*"), "seed " + seed);
                refused++;
            }
        }
        assertThat(refused).isBetween(1, 399);
    }

    private static String spoilt(String line, SplittableRandom random) {
        StringBuilder text = new StringBuilder(line);
        if (random.nextInt(8) == 0) {
            int at = random.nextInt(text.length());
            text.replace(at, at + random.nextInt(3), String.valueOf("0123456789.:/ -#x\0é".charAt(random.nextInt(19))));
        }
        return text.toString();
    }
}
