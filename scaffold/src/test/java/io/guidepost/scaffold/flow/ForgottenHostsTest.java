package io.guidepost.scaffold.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.names.Guid;
import io.guidepost.scaffold.key.Association;
import io.guidepost.scaffold.key.HostKey;
import io.guidepost.scaffold.metrics.FlowCount;
import io.guidepost.scaffold.wire.ControlFault;
import io.guidepost.scaffold.wire.ControlMessage;
import io.guidepost.scaffold.wire.HostLocator;
import io.guidepost.scaffold.wire.MessageType;
import io.guidepost.scaffold.wire.Tlv;
import java.lang.foreign.MemorySegment;
import java.security.SecureRandom;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A gateway that remembers one host meets others, and then the first again. */
class ForgottenHostsTest {
    private static final GatewaySettings SETTINGS = new GatewaySettings(0x6440_0000, 10, 1, 3_000, 0);

    private static final HostLocator PLACE = new HostLocator(0, 1, FlowMachine.PORT);

    private final LocalHost gateway = host();
    private final LocalHost first = host();
    private final LocalHost second = host();

    private static LocalHost host() {
        SecureRandom keys = new SecureRandom();
        LocalHost host = new LocalHost(
                SETTINGS, HostKey.generate(keys), () -> HostKey.generate(keys), new SplittableRandom(1)::nextLong, new NoOutput(),
                FlowMemory.none());
        host.clock(1, 1_000_000);
        return host;
    }

    /** Sends nothing. */
    private static final class NoOutput implements GatewayOutput {
        @Override
        public void toKernel(long packet, int length) {
            throw new AssertionError("there is no kernel");
        }

        @Override
        public void toNetwork(int way, long peerHigh, long peerLow, int peerPort, long datagram, int length) {
            // What was written is read from the sender.
        }
    }

    /** A message with the keys of a host, which another has sealed. */
    private ControlMessage asked(LocalHost by) throws Exception {
        Association router = Association.agree(by.own, by.share, gateway.own.open(), gateway.share.open());
        by.putKeys(by.control.begin(MessageType.REKEY, 0, 0, 0, 0, router), by.share.open());
        by.control.send(router, 0, PLACE);
        ControlMessage message = new ControlMessage();
        byte[] bytes = by.control.last();
        assertThat(message.parse(MemorySegment.ofArray(bytes), 0, bytes.length)).isEqualTo(ControlFault.NONE);
        assertThat(message.guid(Tlv.HOST)).isEqualTo(by.own.guid());
        return message;
    }

    private Guid remembered() {
        assertThat(gateway.peers).hasSize(1);
        return gateway.peers.keySet().iterator().next();
    }

    /** The same two keys would agree on the same once more, and its numbers, which no packet may have twice, began again. */
    @Test
    void aHostThatWasForgottenIsAgreedWithByAnotherKey() throws Exception {
        PeerHost before = gateway.asker(asked(first));
        assertThat(before).isNotNull();
        HostKey share = gateway.share;
        assertThat(before.association().isBy(share)).isTrue();
        assertThat(gateway.asker(asked(second))).isNotNull();
        assertThat(remembered()).isEqualTo(second.own.guid());

        assertThat(gateway.asker(asked(first))).as("so soon").isNull();
        assertThat(gateway.counts.get(FlowCount.DROPS_PEERS_MAX)).isOne();
        assertThat(gateway.share).isSameAs(share);

        gateway.clock(1 + LocalHost.SHARE_NANOS_MIN, 1_060_000);
        PeerHost again = gateway.asker(asked(first));
        assertThat(again).isNotNull();
        assertThat(again.association().isBy(share)).isFalse();
        assertThat(again.association().isBy(gateway.share)).isTrue();
    }

    /** No more of those that were forgotten are known than hosts are remembered. */
    @Test
    void aKeyIsUsedNoMoreWhenMoreHostsWereForgottenThanAreRemembered() throws Exception {
        HostKey share = gateway.share;
        gateway.asker(asked(first));
        gateway.asker(asked(second));
        assertThat(gateway.share).isSameAs(share);
        PeerHost third = gateway.asker(asked(host()));
        assertThat(third).isNotNull();
        assertThat(gateway.counts.get(FlowCount.PEERS_FORGOTTEN)).isEqualTo(2);
        assertThat(third.association().isBy(share)).isFalse();
    }
}
