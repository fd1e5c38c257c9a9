package io.guidepost.scaffold.key;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Malformed;
import io.guidepost.scaffold.wire.ControlFault;
import io.guidepost.scaffold.wire.ControlMessage;
import io.guidepost.scaffold.wire.ControlWriter;
import io.guidepost.scaffold.wire.MessageType;
import io.guidepost.scaffold.wire.ScaffoldLimits;
import io.guidepost.scaffold.wire.Tlv;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.security.SecureRandom;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Two hosts change their keys of the hour, and nothing that was under way is lost. */
class KeyRolloverTest {
    private static final long NOW = 7;
    private static final int PACKET_BYTES = 60;

    private final SecureRandom random = new SecureRandom();
    private final HostKey a = HostKey.generate(random);
    private final HostKey b = HostKey.generate(random);
    private final HostKey aShare = HostKey.generate(random);
    private final HostKey aNext = HostKey.generate(random);
    private final HostKey bShare = HostKey.generate(random);
    private final Seal seal = new Seal();
    private final DataSeal data = new DataSeal();
    private final long room = Arena.global().allocate(256, 8).address();

    private Association ofA(HostKey share) throws Malformed {
        return Association.agree(a, share, b.open(), bShare.open());
    }

    private Association ofB(HostKey share) throws Malformed {
        return Association.agree(b, bShare, a.open(), share.open());
    }

    private ControlMessage message(Association by) {
        byte[] bytes = new byte[ScaffoldLimits.CONTROL_BYTES_MAX];
        int length = new ControlWriter()
                .begin(MemorySegment.ofArray(bytes), 0, MessageType.PATH_RESPONSE, 0, 1, 2, 3, by.nextSequence())
                .guid(Tlv.HOST, a.guid())
                .longNumber(Tlv.NONCE, 1)
                .end();
        byte[] sealed = Arrays.copyOf(bytes, seal.put(by, MemorySegment.ofArray(bytes), 0, length));
        ControlMessage message = new ControlMessage();
        assertThat(message.parse(MemorySegment.ofArray(sealed), 0, sealed.length)).isEqualTo(ControlFault.NONE);
        return message;
    }

    private int packet(Association by) {
        return data.put(by, room, room + 128, PACKET_BYTES, NOW);
    }

    @Test
    void theNextIsInUseWhenTheOtherHostHasShownThatItHasIt() throws Exception {
        Association first = ofB(aShare);
        Association second = ofB(aNext);
        KeyRollover keys = new KeyRollover(first);
        keys.next(second);

        assertThat(keys.now()).isSameAs(first);
        assertThat(keys.newest()).isSameAs(second);
        assertThat(keys.knows(bShare, aNext.open())).isTrue();
        assertThat(keys.check(seal, message(ofA(aShare)), NOW)).isTrue();
        assertThat(keys.now()).isSameAs(first);
        assertThat(keys.check(seal, message(ofA(aNext)), NOW)).isTrue();
        assertThat(keys.now()).isSameAs(second);
        assertThat(keys.next()).isNull();
        assertThat(keys.knows(bShare, aShare.open())).as("else it would count anew").isTrue();
    }

    @Test
    void aPacketShowsItToo() throws Exception {
        KeyRollover keys = new KeyRollover(ofB(aShare));
        Association second = ofB(aNext);
        keys.next(second);

        assertThat(keys.open(data, room, packet(ofA(aShare)), NOW)).isEqualTo(PACKET_BYTES);
        assertThat(keys.now()).isNotSameAs(second);
        assertThat(keys.open(data, room, packet(ofA(aNext)), NOW)).isEqualTo(PACKET_BYTES);
        assertThat(keys.now()).isSameAs(second);
    }

    @Test
    void whatWasSealedBeforeIsTakenForAWhileAndOnce() throws Exception {
        Association old = ofA(aShare);
        KeyRollover keys = new KeyRollover(ofB(aShare));
        keys.use(ofB(aNext), NOW);
        ControlMessage late = message(old);
        long end = NOW + KeyRollover.BEFORE_NANOS;

        assertThat(keys.check(seal, late, end - 1)).isTrue();
        assertThat(keys.check(seal, late, end - 1)).as("again").isFalse();
        assertThat(keys.open(data, room, packet(old), end - 1)).isEqualTo(PACKET_BYTES);
        assertThat(keys.check(seal, message(old), end)).isFalse();
        assertThat(keys.open(data, room, packet(old), end)).isEqualTo(-1);
    }

    /** What was written there for the next process is of the association in use alone. */
    @Test
    void theAssociationBeforeIsKeptNoMore() throws Exception {
        long at = Arena.global().allocate(Association.KEPT_BYTES, 8).address();
        Association first = ofB(aShare);
        KeyRollover keys = new KeyRollover(first);
        first.keep(at);
        Association second = ofB(aNext);
        keys.use(second, NOW);
        second.keep(at);
        Association sender = ofA(aShare);
        for (int i = 0; i < 300; i++) {
            assertThat(keys.check(seal, message(sender), NOW)).isTrue();
        }

        KeyRollover kept = new KeyRollover(Association.kept(at));
        assertThat(kept.check(seal, message(ofA(aNext)), NOW)).isTrue();
    }
}
