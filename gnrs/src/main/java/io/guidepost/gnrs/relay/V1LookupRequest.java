package io.guidepost.gnrs.relay;

import io.guidepost.base.Malformed;
import io.guidepost.gnrs.peer.PeerRequest;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.gnrs.wire.GnrsMessage;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.names.Name;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordMerge;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Requests a record from a server of the first protocol version, as the servers of 2014 relay a look-up: LOOKUP without
 * recursion, with the relaying server as its origin. The answer has no stamps, and so is older than any that has.
 */
final class V1LookupRequest extends PeerRequest {
    private final RecordFetch fetch;
    private final RecordFetch.ReplicaCandidate candidate;
    private final Guid guid;
    private final byte[] message;

    V1LookupRequest(RecordFetch fetch, RecordFetch.ReplicaCandidate candidate, Locator origin) {
        super(candidate.peer());
        this.fetch = fetch;
        this.candidate = candidate;
        this.guid = Guid.of(fetch.guid());
        this.message = new GnrsMessage.Lookup(0, origin, guid, List.of()).write();
    }

    @Override
    public int write(MemorySegment room, long at, int length, int messageId) {
        if (length < message.length) {
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
        boolean refused;
        byte[] image;
        try {
            if (!(GnrsMessage.read(bytes) instanceof GnrsMessage.LookupResponse response)) {
                return false;
            }
            refused = response.code() != GnrsMessage.Code.SUCCESS;
            List<Binding> bindings = distinct(response.bindings());
            image = bindings.isEmpty() ? null : image(bindings);
        } catch (Malformed | IllegalArgumentException e) {
            return false;
        }
        if (refused) {
            fetch.refused(candidate);
        } else {
            fetch.takeReply(candidate, image, false);
        }
        return true;
    }

    private static List<Binding> distinct(List<Binding> bindings) {
        List<Binding> distinct = new ArrayList<>();
        Set<Locator> seen = new HashSet<>();
        for (Binding each : bindings) {
            if (seen.add(each.locator())) {
                distinct.add(each);
            }
        }
        return distinct;
    }

    private byte[] image(List<Binding> bindings) {
        return RecordMerge.change(RecordImage.write(Name.of(guid).key(), 0, bindings, List.of()), 0, false);
    }

    @Override
    public void late() {
        fetch.late();
    }

    @Override
    public void silent() {
        fetch.silent(candidate);
    }
}
