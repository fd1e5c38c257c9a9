package io.guidepost.gnrs.wire;

import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Writes messages from their object form. */
final class GnrsMessageWriter {
    private GnrsMessageWriter() {}

    /**
     * Returns the bytes of a message.
     *
     * @throws IllegalArgumentException if the length field cannot hold the length
     */
    static int length(GnrsMessage message) {
        int length = optionsAt(message);
        for (GnrsOption option : message.options()) {
            length += GnrsWire.OPTION_HEADER_BYTES + option.value().length;
        }
        if (length > 0xffff) {
            throw new IllegalArgumentException("a message has at most 65535 bytes, not " + length);
        }
        return length;
    }

    /** Returns where the options of a message begin, if it has any: the end of its payload. */
    private static int optionsAt(GnrsMessage message) {
        int length = GnrsWire.ORIGIN + message.origin().data().length;
        if (message instanceof GnrsMessage.Request) {
            length += Guid.BYTES;
        }
        if (message instanceof GnrsMessage.Response) {
            length += GnrsWire.CODE_BYTES;
        }
        if (message instanceof GnrsMessage.Bound bound) {
            length += 4;
            for (Locator each : bound.locators()) {
                length += GnrsWire.ADDRESS_HEADER_BYTES + each.data().length;
            }
        }
        return length;
    }

    static int write(GnrsMessage message, MemorySegment out, long offset) {
        int length = length(message);
        Locator origin = message.origin();
        out.set(GnrsWire.LONG, offset, GnrsWire.head(type(message), length, message.id()));
        out.set(
                GnrsWire.LONG,
                offset + GnrsWire.OPTIONS_OFFSET,
                GnrsWire.offsets(
                        message.options().isEmpty() ? 0 : optionsAt(message), origin.type(), origin.data().length));
        long at = bytes(origin.data(), out, offset + GnrsWire.ORIGIN);
        if (message instanceof GnrsMessage.Request request) {
            request.guid().write(out, at);
            at += Guid.BYTES;
        }
        if (message instanceof GnrsMessage.Response response) {
            out.set(GnrsWire.INT, at, (response.code() == GnrsMessage.Code.SUCCESS ? GnrsWire.SUCCESS : GnrsWire.FAILED) << 16);
            at += GnrsWire.CODE_BYTES;
        }
        if (message instanceof GnrsMessage.Bound bound) {
            at = locators(bound.locators(), out, at);
        }
        options(message.options(), out, at);
        return length;
    }

    private static int type(GnrsMessage message) {
        return switch (message) {
            case GnrsMessage.Insert _ -> GnrsWire.INSERT;
            case GnrsMessage.Lookup _ -> GnrsWire.LOOKUP;
            case GnrsMessage.Update _ -> GnrsWire.UPDATE;
            case GnrsMessage.InsertResponse _ -> GnrsWire.INSERT_RESPONSE;
            case GnrsMessage.UpdateResponse _ -> GnrsWire.UPDATE_RESPONSE;
            case GnrsMessage.LookupResponse _ -> GnrsWire.LOOKUP_RESPONSE;
        };
    }

    private static long locators(List<Locator> locators, MemorySegment out, long offset) {
        out.set(GnrsWire.INT, offset, locators.size());
        long at = offset + 4;
        for (Locator each : locators) {
            out.set(GnrsWire.INT, at, each.type() << 16 | each.data().length);
            at = bytes(each.data(), out, at + GnrsWire.ADDRESS_HEADER_BYTES);
        }
        return at;
    }

    private static void options(List<GnrsOption> options, MemorySegment out, long offset) {
        long at = offset;
        for (int i = 0; i < options.size(); i++) {
            GnrsOption option = options.get(i);
            int last = i + 1 == options.size() ? GnrsWire.OPTION_LAST : 0;
            out.set(GnrsWire.SHORT, at, (short) ((last | option.code()) << 8 | option.value().length));
            at = bytes(option.value(), out, at + GnrsWire.OPTION_HEADER_BYTES);
        }
    }

    private static long bytes(byte[] bytes, MemorySegment out, long offset) {
        MemorySegment.copy(bytes, 0, out, GnrsWire.BYTE, offset, bytes.length);
        return offset + bytes.length;
    }
}
