package io.guidepost.scaffold.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Addresses;
import io.guidepost.base.Memory;
import io.guidepost.packet.frame.HeaderParser;
import java.lang.foreign.Arena;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Golden vectors, which another program has written from the RFCs: what a router says of a packet with labels, and what the host hears. */
class IcmpTranslatorTest {
    private static final FlowTuple IPV4 = new FlowTuple(
            0, Addresses.ipv4Low(0x6440_0001), 0, Addresses.ipv4Low(0x6440_0105), 8080 << 16 | 40_000, HeaderParser.TCP);
    private static final FlowTuple IPV6 =
            new FlowTuple(0xfd67_7569_6465_0000L, 0x6440_0001, 0xfd67_7569_6465_0000L, 0x6440_0207, 8080 << 16 | 40_001, HeaderParser.TCP);

    private static final String TOO_BIG = "6000000000503a3efd000009000000000000000000000009fd000001000000001122334455667788"
            + "020033130000051462b000030564063dfd000001000000001122334455667788fd00000200000000"
            + "99aabbccddeeff001f909c400000044c0000004d501001f4abcd00007477656c7665206279746573";
    private static final String TOO_BIG_IPV4 = "45000050000040004001712764400105644000010304ea9000000500452b0578000040003d066ecf"
            + "64400001644001051f909c40000003e80000004d501001f4abcd00007477656c7665206279746573";

    private static final String TOO_BIG_OF_A_PROGRAM_OF_IPV6 =
            "6000000000503a3efd000009000000000000000000000009fd000001000000001122334455667788"
            + "020033da000004b062b000030564063dfd000001000000001122334455667788fd00000200000000"
            + "99aabbccddeeff001f909c41000003e80000004d501001f4abcd00007477656c7665206279746573";
    private static final String TOO_BIG_IPV6 = "6000000000503a40fd677569646500000000000064400207fd677569646500000000000064400001"
            + "02008acb0000050062b000000564063dfd677569646500000000000064400001fd67756964650000"
            + "00000000644002071f909c41000003e80000004d501001f4abcd00007477656c7665206279746573";

    private static final String TIME_EXCEEDED = "6000000000503a3efd000009000000000000000000000009fd000001000000001122334455667788"
            + "0300378b0000000062b000030564063dfd000001000000001122334455667788fd00000200000000"
            + "99aabbccddeeff001f909c40000003e80000004d501001f4abcd00007477656c7665206279746573";
    private static final String TIME_EXCEEDED_IPV4 = "45000050000040004001712764400105644000010b00e79400000000452b0578000040003d066ecf"
            + "64400001644001051f909c40000003e80000004d501001f4abcd00007477656c7665206279746573";

    private final IcmpTranslator translator = new IcmpTranslator();

    private String written(FlowTuple tuple, String packet, int shift) {
        byte[] bytes = HexFormat.of().parseHex(packet);
        try (Arena arena = Arena.ofConfined()) {
            long at = arena.allocate(bytes.length, 8).address();
            Memory.copy(bytes, 0, at, bytes.length);
            return translator.write(tuple, at + 40, bytes.length - 40, shift)
                    ? HexFormat.of().formatHex(Memory.read(translator.address(), translator.length()))
                    : "";
        }
    }

    @Test
    void aProgramOfIpv4IsToldWhatFitsWithItsShorterHeader() {
        assertThat(written(IPV4, TOO_BIG, 100)).isEqualTo(TOO_BIG_IPV4);
        assertThat(written(IPV4, TIME_EXCEEDED, 0)).isEqualTo(TIME_EXCEEDED_IPV4);
    }

    @Test
    void noProgramOfIpv6IsToldLessThanALinkOfIpv6Takes() {
        assertThat(written(IPV6, TOO_BIG_OF_A_PROGRAM_OF_IPV6, 0)).isEqualTo(TOO_BIG_IPV6);
    }

    @Test
    void aMessageHasNoMoreThanItsVersionsBound() {
        assertThat(written(IPV4, TOO_BIG + "77".repeat(1_100), 100)).hasSize(2 * 576);
        assertThat(written(IPV6, TOO_BIG + "77".repeat(1_200), 100)).hasSize(2 * 1_280);
    }

    @Test
    void otherMessagesAreNotPassed() {
        for (String type : new String[] {"0100", "0400", "8000", "0000"}) {
            assertThat(written(IPV4, TOO_BIG.substring(0, 80) + type + TOO_BIG.substring(84), 0)).isEmpty();
        }
    }
}
