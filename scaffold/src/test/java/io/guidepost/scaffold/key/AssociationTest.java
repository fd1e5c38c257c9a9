package io.guidepost.scaffold.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Malformed;
import io.guidepost.base.Pem;
import io.guidepost.names.Guid;
import io.guidepost.scaffold.wire.ControlFault;
import io.guidepost.scaffold.wire.ControlMessage;
import io.guidepost.scaffold.wire.ControlWriter;
import io.guidepost.scaffold.wire.MessageType;
import io.guidepost.scaffold.wire.Reason;
import io.guidepost.scaffold.wire.ScaffoldLimits;
import io.guidepost.scaffold.wire.Tlv;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.security.KeyFactory;
import java.security.SecureRandom;
import java.security.spec.NamedParameterSpec;
import java.security.spec.XECPrivateKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** What two hosts agree on, and the messages that they seal with it. */
class AssociationTest {
    private final SecureRandom random = new SecureRandom();
    private final HostKey a = HostKey.generate(random);
    private final HostKey aShare = HostKey.generate(random);
    private final HostKey b = HostKey.generate(random);
    private final HostKey bShare = HostKey.generate(random);
    private final Seal seal = new Seal();

    private Association ofA() throws Malformed {
        return Association.agree(a, aShare, b.open(), bShare.open());
    }

    private Association ofB() throws Malformed {
        return Association.agree(b, bShare, a.open(), aShare.open());
    }

    private byte[] fail(Association by, Guid host) {
        byte[] bytes = new byte[ScaffoldLimits.CONTROL_BYTES_MAX];
        MemorySegment out = MemorySegment.ofArray(bytes);
        int length = new ControlWriter()
                .begin(out, 0, MessageType.FAIL, 0, 1, 2, 3, by.nextSequence())
                .guid(Tlv.HOST, host)
                .reason(Reason.DEAD)
                .end();
        return Arrays.copyOf(bytes, seal.put(by, out, 0, length));
    }

    private boolean takes(Association association, byte[] bytes) {
        ControlMessage message = new ControlMessage();
        return message.parse(MemorySegment.ofArray(bytes), 0, bytes.length) == ControlFault.NONE && seal.check(association, message);
    }

    /** RFC 7748 section 6.1. */
    @Test
    void productsAreThoseOfTheStandard() throws Exception {
        HostKey alice = HostKey.read(Pem.write("PRIVATE KEY", KeyFactory.getInstance("X25519")
                .generatePrivate(new XECPrivateKeySpec(
                        NamedParameterSpec.X25519,
                        HexFormat.of().parseHex("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a")))
                .getEncoded()));

        assertThat(HexFormat.of().formatHex(alice.open()))
                .isEqualTo("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a");
        assertThat(HexFormat.of()
                        .formatHex(alice.agree(HexFormat.of()
                                .parseHex("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f"))))
                .isEqualTo("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742");
    }

    @Test
    void eachHearsWhatTheOtherSeals() throws Exception {
        Association first = ofA();
        Association second = ofB();

        assertThat(first.peer()).isEqualTo(b.guid());
        assertThat(first.isOf(bShare.open())).isTrue();
        assertThat(first.isOf(aShare.open())).isFalse();
        assertThat(takes(second, fail(first, a.guid()))).isTrue();
        assertThat(takes(first, fail(second, b.guid()))).isTrue();
    }

    @Test
    void neitherHearsItsOwnMessagesOrThoseOfOtherKeys() throws Exception {
        Association first = ofA();
        byte[] sealed = fail(first, a.guid());

        assertThat(takes(ofA(), sealed)).as("sent back to its sender").isFalse();
        HostKey other = HostKey.generate(random);
        assertThat(takes(Association.agree(b, other, a.open(), aShare.open()), sealed)).as("another key of the hour").isFalse();
        assertThat(takes(Association.agree(other, bShare, a.open(), aShare.open()), sealed)).as("another host").isFalse();
        assertThat(takes(Association.agree(b, bShare, other.open(), aShare.open()), sealed)).as("another peer").isFalse();
        assertThat(takes(Association.agree(b, bShare, a.open(), other.open()), sealed)).as("another hour of the peer").isFalse();
        assertThat(takes(ofB(), sealed)).isTrue();
    }

    @Test
    void aMessageIsHeardOnce() throws Exception {
        byte[] sealed = fail(ofA(), a.guid());
        Association second = ofB();

        assertThat(takes(second, sealed)).isTrue();
        assertThat(takes(second, sealed)).isFalse();
    }

    /** A message that is not authentic does not use up the number that it claims to have. */
    @Test
    void noChangedMessageIsHeard() throws Exception {
        byte[] sealed = fail(ofA(), a.guid());
        Association second = ofB();
        for (int bit = 0; bit < sealed.length * 8; bit++) {
            byte[] changed = sealed.clone();
            changed[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(takes(second, changed)).as("bit %d", bit).isFalse();
        }
        assertThat(takes(second, sealed)).isTrue();
    }

    @Test
    void aKeyThatSharesNothingIsRefused() {
        assertThatThrownBy(() -> Association.agree(a, aShare, b.open(), new byte[32])).isInstanceOf(Malformed.class);
        assertThatThrownBy(() -> Association.agree(a, aShare, new byte[31], bShare.open()))
                .isInstanceOf(Malformed.class)
                .hasMessageContaining("32 bytes, not 31");
    }

    /** A process that is killed leaves what the next one needs to speak, and to take nothing twice. */
    @Test
    void anotherProcessGoesOnWithWhatIsKept() throws Exception {
        try (Arena arena = Arena.ofConfined()) {
            long at = arena.allocate(Association.KEPT_BYTES, Long.BYTES).address();
            Association killed = ofA();
            Association other = ofB();
            killed.nextSequence();
            killed.keep(at);
            byte[] first = fail(killed, a.guid());
            byte[] heard = fail(other, b.guid());
            assertThat(takes(other, first)).isTrue();
            assertThat(takes(killed, heard)).isTrue();

            Association next = Association.kept(at);
            assertThat(next.peer()).isEqualTo(b.guid());
            assertThat(next.isOf(bShare.open())).isTrue();
            assertThat(takes(next, heard)).isFalse();
            assertThat(takes(other, fail(next, a.guid()))).isTrue();
            assertThat(takes(next, fail(other, b.guid()))).isTrue();
            assertThat(Association.kept(at).nextSequence()).isEqualTo(next.nextSequence());
        }
    }
}
