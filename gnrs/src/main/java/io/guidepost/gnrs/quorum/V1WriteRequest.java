package io.guidepost.gnrs.quorum;

import io.guidepost.base.Malformed;
import io.guidepost.gnrs.peer.PeerRequest;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.gnrs.wire.GnrsMessage;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.names.Record;
import io.guidepost.store.RecordImage;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends a change to a server of the first protocol version, as the servers of 2014 relay it: INSERT or UPDATE without
 * recursion, with the relaying server as its origin. Kinds of place that such a server does not know are left out; it
 * would not answer.
 */
final class V1WriteRequest extends PeerRequest {
    private final ReplicaWrite copy;
    private final byte[] message;

    private V1WriteRequest(ReplicaWrite copy, byte[] message) {
        super(copy.peer());
        this.copy = copy;
        this.message = message;
    }

    /**
     * Creates the request.
     *
     * @param change a record with stamps, in stored form
     * @return null if such a server cannot take it: too long for its buffers, or without a place that it knows
     */
    static @Nullable V1WriteRequest of(ReplicaWrite copy, byte[] change, boolean update, Locator origin) {
        Guid guid = Guid.read(MemorySegment.ofArray(change), RecordImage.HEADER_BYTES + 1L);
        List<Binding> all = bindings(change);
        List<Binding> known = all.stream().filter(V1WriteRequest::known).toList();
        if (known.isEmpty() && !(update && all.isEmpty())) {
            return null;
        }
        List<Binding> sent = known.size() <= QuorumLimits.V1_TIMED_BINDINGS_MAX
                ? known
                : known.stream().map(each -> Binding.of(each.locator())).toList();
        GnrsMessage request =
                update ? GnrsMessage.Update.of(0, origin, guid, sent) : GnrsMessage.Insert.of(0, origin, guid, sent);
        byte[] message = request.write();
        return message.length > QuorumLimits.V1_MESSAGE_BYTES_MAX ? null : new V1WriteRequest(copy, message);
    }

    private static List<Binding> bindings(byte[] change) {
        try {
            Record record = RecordImage.read(change);
            return record.bindings();
        } catch (Malformed e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private static boolean known(Binding binding) {
        int type = binding.locator().type();
        return type == Locator.Type.IPV4_UDP.code() || type == Locator.Type.GUID.code();
    }

    @Override
    public int write(MemorySegment room, long at, int length, int messageId) {
        if (message.length > length) {
            return 0;
        }
        MemorySegment.copy(message, 0, room, PeerWire.BYTE, at, message.length);
        room.set(PeerWire.INT, at + PeerWire.ID, messageId);
        return message.length;
    }

    @Override
    public boolean answered(MemorySegment segment, long at, int length, long rttNanos) {
        byte[] bytes = new byte[length];
        MemorySegment.copy(segment, PeerWire.BYTE, at, bytes, 0, length);
        try {
            return switch (GnrsMessage.read(bytes)) {
                case GnrsMessage.InsertResponse response -> ended(response.code());
                case GnrsMessage.UpdateResponse response -> ended(response.code());
                default -> false;
            };
        } catch (Malformed e) {
            return false;
        }
    }

    private boolean ended(GnrsMessage.Code code) {
        copy.ended(code == GnrsMessage.Code.SUCCESS ? PeerWire.DONE : PeerWire.REFUSED, 0, 0);
        return true;
    }

    @Override
    public void silent() {
        copy.silent();
    }
}
