package io.guidepost.gnrs.site;

import io.guidepost.gnrs.Message;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.names.Malformed;
import io.guidepost.names.Record;
import io.guidepost.store.Image;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change for one server of the first protocol version, as the servers of 2014 relay it among themselves: INSERT or
 * UPDATE without recursion, with the relaying server as its origin. Kinds of place that such a server does not know are
 * left out; it would not answer.
 */
final class RelayedWrite extends Question {
    private final Copy copy;
    private final byte[] message;

    private RelayedWrite(Copy copy, byte[] message) {
        super(copy.peer());
        this.copy = copy;
        this.message = message;
    }

    /**
     * Makes the question.
     *
     * @param change a record with stamps, in stored form
     * @return null if such a server cannot take it: too long for its buffers, or no place that it knows is in it
     */
    static @Nullable RelayedWrite of(Copy copy, byte[] change, boolean update, Locator origin) {
        Guid guid = Guid.read(MemorySegment.ofArray(change), Image.HEADER_BYTES + 1L);
        List<Binding> all = bindings(change);
        List<Binding> known = all.stream().filter(RelayedWrite::known).toList();
        if (known.isEmpty() && !(update && all.isEmpty())) {
            return null;
        }
        List<Binding> sent = known.size() <= WriteLimits.V1_TIMED_BINDINGS_MAX
                ? known
                : known.stream().map(each -> Binding.of(each.locator())).toList();
        Message request =
                update ? Message.Update.of(0, origin, guid, sent) : Message.Insert.of(0, origin, guid, sent);
        byte[] message = request.write();
        return message.length > WriteLimits.V1_MESSAGE_BYTES_MAX ? null : new RelayedWrite(copy, message);
    }

    private static List<Binding> bindings(byte[] change) {
        try {
            Record record = Image.read(change);
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
    int write(MemorySegment room, long at, int length, int messageId) {
        if (message.length > length) {
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
        try {
            return switch (Message.read(bytes)) {
                case Message.InsertResponse response -> ended(response.code());
                case Message.UpdateResponse response -> ended(response.code());
                default -> false;
            };
        } catch (Malformed e) {
            return false;
        }
    }

    private boolean ended(Message.Code code) {
        copy.ended(code == Message.Code.SUCCESS ? SiteWire.DONE : SiteWire.REFUSED, 0, 0);
        return true;
    }

    @Override
    void silent() {
        copy.silent();
    }
}
