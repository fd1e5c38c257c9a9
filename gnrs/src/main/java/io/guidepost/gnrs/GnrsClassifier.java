package io.guidepost.gnrs;

import io.guidepost.base.DatagramClassifier;
import io.guidepost.gnrs.wire.GnrsWire;
import io.guidepost.names.Guid;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** What GNRS tells admission control: the GUID that a message is about; responses and other servers are exempt. */
final class GnrsClassifier implements DatagramClassifier {
    private final @Nullable PeerGateway relays;

    GnrsClassifier(@Nullable PeerGateway relays) {
        this.relays = relays;
    }

    @Override
    public long name(MemorySegment segment, long offset, int length) {
        if (length < GnrsWire.HEADER_BYTES) {
            return NO_NAME;
        }
        int payload = Short.toUnsignedInt(segment.get(GnrsWire.SHORT, offset + GnrsWire.PAYLOAD_OFFSET));
        return payload + Guid.BYTES > length ? NO_NAME : GnrsWire.nameKey(segment, offset + payload);
    }

    /** Returns true of responses: they complete work in flight, and are cheap. */
    @Override
    public boolean isExempt(MemorySegment segment, long offset, int length) {
        return length >= GnrsWire.HEADER_BYTES && segment.get(GnrsWire.BYTE, offset + GnrsWire.TYPE) < 0;
    }

    @Override
    public boolean isPeer(long high, long low, int port) {
        return relays != null && relays.isPeer(high, low, port);
    }

    @Override
    public boolean hasPeerIn(long network) {
        return relays != null && relays.hasPeerIn(network);
    }
}
