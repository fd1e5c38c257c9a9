package io.guidepost.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Datagram for datagram: what the clients of the Java server of 2014 (J), of the C++ client and of the later
 * MobilityFirst tree (M) send, and what a running server answers. The requests were made by their own encoders; only
 * the port of the origin is that of the test's socket. The server says it is 127.0.0.1:5001.
 *
 * <p>We differ from J on purpose: TTL and expiration are kept, where J answers zeros; an UPDATE without bindings
 * deletes, where J knows no UPDATE; responses and malformed messages are dropped, where J partly stops for good.
 */
class VectorsTest {
    private static final String LOOKUP = // V1
            "0001002a0000000100000016000000067f0000010fa1000102030405060708090a0b0c0d0e0f10111213";
    private static final String LOOKUP_RECURSIVE = // V2
            "0001002edeadbeef002a0016000000067f0000010fa1000102030405060708090a0b0c0d0e0f1011121380020001";
    private static final String LOOKUP_NOT_RECURSIVE = // V10
            "0001002e00000009002a0016000000067f0000010fa1000102030405060708090a0b0c0d0e0f1011121380020000";
    private static final String INSERT = // V3
            "000000380000000300000016000000067f0000010fa1000102030405060708090a0b0c0d0e0f10111213"
                    + "00000001000000060a010203115c";

    /** V4 with its expirations moved to the years 2100 and 2101: those of the vector are or will be in the past. */
    private static final String INSERT_TWO =
            "000000780000000400500016000000067f0000010fa1000102030405060708090a0b0c0d0e0f10111213"
                    + "00000002000000060a010203115c00010014ffeeddccbbaa99887766554433221100aabbccdd"
                    + "02100000000000007530000000000000ea60"
                    + "0110000003bb2cc3d800000003c284750400"
                    + "80020001";

    private static final String INSERT_NOTHING = // V11
            "000000320000000a002e0016000000067f0000010fa1000102030405060708090a0b0c0d0e0f10111213"
                    + "0000000080020001";
    private static final String UPDATE_OF_M = // M1
            "0002004a0000000100460016000000067f0000010bc200000000000000000000000000000000fb920300"
                    + "0000000100010014000000000000000000000000000000000000004d80020001";
    private static final String RELAYED_INSERT = // R3
            "00000042f9372ac000380016000000067f0000011389000102030405060708090a0b0c0d0e0f10111213"
                    + "00000001000000060a010203115c82080000000000007530";
    private static final String RELAYED_LOOKUP = // R4
            "0001002af9372ac400000016000000067f00000113890000000100000001000000010000000100000001";

    @TempDir
    private Path folder;

    private RunningServer server;
    private HexSocket wire;

    @BeforeEach
    void start() throws Exception {
        server = RunningServer.start(folder, "gnrs.advertise=127.0.0.1:5001");
        wire = HexSocket.to(server.address());
    }

    @AfterEach
    void stop() {
        wire.close();
        server.close();
    }

    @Test
    void anUnboundGuidIsASuccessWithoutBindings() throws Exception {
        // V7 with the ids asked; R2, the answer of J's disk store, has two empty options behind it, which we leave out.
        assertThat(wire.ask(LOOKUP)).isEqualTo("0081001e0000000100000016000000067f00000113890000000000000000");
        assertThat(wire.ask(LOOKUP_RECURSIVE)).isEqualTo("0081001edeadbeef00000016000000067f00000113890000000000000000");
        assertThat(wire.ask(LOOKUP_NOT_RECURSIVE))
                .isEqualTo("0081001e0000000900000016000000067f00000113890000000000000000");
        assertThat(wire.ask(RELAYED_LOOKUP)).isEqualTo("0081001ef9372ac400000016000000067f00000113890000000000000000");
    }

    @Test
    void whatWasInsertedIsFoundWithItsTimes() throws Exception {
        assertThat(wire.ask(INSERT)).isEqualTo("0080001a0000000300000016000000067f000001138900000000");
        assertThat(wire.ask(LOOKUP))
                .isEqualTo("0081003c0000000100280016000000067f0000011389" + "00000000" + "00000001"
                        + "000000060a010203115c" + "02080000000000000000" + "81080000000000000000");
        assertThat(wire.ask(INSERT_TWO)).isEqualTo("0080001a0000000400000016000000067f000001138900000000"); // V5
        // R1: the repeated address is merged; its times, which J answers as zeros, are those of the later insert.
        String two = "00400016000000067f0000011389" + "00000000" + "00000002"
                + "000000060a010203115c" + "00010014ffeeddccbbaa99887766554433221100aabbccdd"
                + "02100000000000007530000000000000ea60" + "8110000003bb2cc3d800000003c284750400";
        assertThat(wire.ask(LOOKUP_RECURSIVE)).isEqualTo("00810064deadbeef" + two);
        assertThat(wire.ask(LOOKUP_NOT_RECURSIVE)).isEqualTo("0081006400000009" + two); // V8 with another id
    }

    @Test
    void anInsertOfNothingIsASuccess() throws Exception {
        assertThat(wire.ask(INSERT_NOTHING)).isEqualTo("0080001a0000000a00000016000000067f000001138900000000");
    }

    @Test
    void anInsertAsServersRelayItKeepsItsTtl() throws Exception {
        assertThat(wire.ask(RELAYED_INSERT)).isEqualTo("0080001af9372ac000000016000000067f000001138900000000");
        assertThat(wire.ask(LOOKUP))
                .isEqualTo("0081003c0000000100280016000000067f0000011389" + "00000000" + "00000001"
                        + "000000060a010203115c" + "02080000000000007530" + "81080000000000000000");
    }

    @Test
    void anUpdateReplacesAndAnUpdateToNothingDeletes() throws Exception {
        assertThat(wire.ask(UPDATE_OF_M)).isEqualTo("0082001a0000000100000016000000067f000001138900000000");
        String lookup = "0001002a0000000200000016000000067f0000010fa1" + "00000000000000000000000000000000fb920300";
        assertThat(wire.ask(lookup))
                .isEqualTo("0081004a0000000200360016000000067f0000011389" + "00000000" + "00000001"
                        + "00010014000000000000000000000000000000000000004d"
                        + "02080000000000000000" + "81080000000000000000");
        String forget = "0002002e0000000300000016000000067f0000010bc2" + "00000000000000000000000000000000fb920300"
                + "00000000";
        assertThat(wire.ask(forget)).isEqualTo("0082001a0000000300000016000000067f000001138900000000");
        assertThat(wire.ask(lookup)).isEqualTo("0081001e0000000200000016000000067f00000113890000000000000000");
    }

    @Test
    void severalMessagesInOneDatagramAreAnsweredEach() throws Exception {
        Map<String, String> answers = new TreeMap<>();
        wire.send(LOOKUP + LOOKUP_NOT_RECURSIVE);
        for (int i = 0; i < 2; i++) {
            String answer = wire.receive();
            answers.put(answer.substring(8, 16), answer);
        }
        assertThat(answers)
                .containsEntry("00000001", "0081001e0000000100000016000000067f00000113890000000000000000")
                .containsEntry("00000009", "0081001e0000000900000016000000067f00000113890000000000000000");
    }

    @Test
    void responsesAreNeverAnswered() throws Exception {
        String[] responses = {
            "0080001a0000000400000016000000067f000001138900000000", // V5
            "0080001a0000000500000016000000067f000001138900010000", // V6
            "0081001e0000000600000016000000067f00000113890000000000000000", // V7
            "0081001e0000000800000016000000067f00000113890001000000000000", // V9
            "008100640000000700400016000000067f00000113890000000000000002000000060a010203115c" // V8
                    + "00010014ffeeddccbbaa99887766554433221100aabbccdd"
                    + "02100000000000007530000000000000ea6081100000019b76daa800000001a2ce8bd400",
            "00810022deadbeef001e0016000000067f0000011389000000000000000002008100", // R2
            "008100320000000500000016000000067f00000113890000000000000002000000060a000005138d000000060a000002138a", // R5
        };
        for (String each : responses) {
            wire.send(each);
        }
        assertThat(wire.silent()).isTrue();
        assertThat(wire.ask(LOOKUP)).startsWith("0081001e00000001");
    }
}
