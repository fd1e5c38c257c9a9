package io.guidepost.gnrs.site;

import io.guidepost.gnrs.Message;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.names.Malformed;
import io.guidepost.names.Name;
import io.guidepost.store.Image;
import io.guidepost.store.Merge;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * One server of the first protocol version is asked for a record, as the servers of 2014 relay a look-up among
 * themselves: LOOKUP without recursion, with the relaying server as its origin. What it says has no stamps, and so is
 * older than anything that has.
 */
final class RelayedLookup extends Question {
    private final Fetch fetch;
    private final Fetch.Candidate candidate;
    private final Guid guid;
    private final byte[] message;

    RelayedLookup(Fetch fetch, Fetch.Candidate candidate, Locator origin) {
        super(candidate.peer());
        this.fetch = fetch;
        this.candidate = candidate;
        this.guid = Guid.of(fetch.guid());
        this.message = new Message.Lookup(0, origin, guid, List.of()).write();
    }

    @Override
    int write(MemorySegment room, long at, int length, int messageId) {
        if (length < message.length) {
            return 0;
        }
        MemorySegment.copy(message, 0, room, SiteWire.BYTE, at, message.length);
        room.set(SiteWire.INT, at + SiteWire.ID, messageId);
        return message.length;
    }

    @Override
    boolean answered(MemorySegment segment, long at, int length, long rttNanos) {
        byte[] bytes = new byte[length];
        MemorySegment.copy(segment, SiteWire.BYTE, at, bytes, 0, length);
        boolean refused;
        byte[] image;
        try {
            if (!(Message.read(bytes) instanceof Message.LookupResponse response)) {
                return false;
            }
            refused = response.code() != Message.Code.SUCCESS;
            List<Binding> bindings = distinct(response.bindings());
            image = bindings.isEmpty() ? null : image(bindings);
        } catch (Malformed | IllegalArgumentException e) {
            return false;
        }
        if (refused) {
            fetch.refused(candidate);
        } else {
            fetch.said(candidate, image, false);
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
        return Merge.change(Image.write(Name.of(guid).key(), 0, bindings, List.of()), 0, false);
    }

    @Override
    void late() {
        fetch.late();
    }

    @Override
    void silent() {
        fetch.silent(candidate);
    }
}
