package io.guidepost.gnrs;

import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Writes messages in object form. */
final class MessageWriter {
    private MessageWriter() {}

    /**
     * Bytes of a message.
     *
     * @throws IllegalArgumentException if the length field could not say it
     */
    static int length(Message message) {
        int length = optionsAt(message);
        for (Option option : message.options()) {
            length += Wire.OPTION_HEADER_BYTES + option.value().length;
        }
        if (length > 0xffff) {
            throw new IllegalArgumentException("a message has at most 65535 bytes, not " + length);
        }
        return length;
    }

    /** Where the options of a message begin, if it has any: the end of its payload. */
    private static int optionsAt(Message message) {
        int length = Wire.ORIGIN + message.origin().data().length;
        if (message instanceof Message.Request) {
            length += Guid.BYTES;
        }
        if (message instanceof Message.Response) {
            length += Wire.CODE_BYTES;
        }
        if (message instanceof Message.Bound bound) {
            length += 4;
            for (Locator each : bound.locators()) {
                length += Wire.ADDRESS_HEADER_BYTES + each.data().length;
            }
        }
        return length;
    }

    static int write(Message message, MemorySegment out, long offset) {
        int length = length(message);
        Locator origin = message.origin();
        out.set(Wire.LONG, offset, Wire.head(type(message), length, message.id()));
        out.set(
                Wire.LONG,
                offset + Wire.OPTIONS_OFFSET,
                Wire.offsets(
                        message.options().isEmpty() ? 0 : optionsAt(message), origin.type(), origin.data().length));
        long at = bytes(origin.data(), out, offset + Wire.ORIGIN);
        if (message instanceof Message.Request request) {
            request.guid().write(out, at);
            at += Guid.BYTES;
        }
        if (message instanceof Message.Response response) {
            out.set(Wire.INT, at, (response.code() == Message.Code.SUCCESS ? Wire.SUCCESS : Wire.FAILED) << 16);
            at += Wire.CODE_BYTES;
        }
        if (message instanceof Message.Bound bound) {
            at = locators(bound.locators(), out, at);
        }
        options(message.options(), out, at);
        return length;
    }

    private static int type(Message message) {
        return switch (message) {
            case Message.Insert _ -> Wire.INSERT;
            case Message.Lookup _ -> Wire.LOOKUP;
            case Message.Update _ -> Wire.UPDATE;
            case Message.InsertResponse _ -> Wire.INSERT_RESPONSE;
            case Message.UpdateResponse _ -> Wire.UPDATE_RESPONSE;
            case Message.LookupResponse _ -> Wire.LOOKUP_RESPONSE;
        };
    }

    private static long locators(List<Locator> locators, MemorySegment out, long offset) {
        out.set(Wire.INT, offset, locators.size());
        long at = offset + 4;
        for (Locator each : locators) {
            out.set(Wire.INT, at, each.type() << 16 | each.data().length);
            at = bytes(each.data(), out, at + Wire.ADDRESS_HEADER_BYTES);
        }
        return at;
    }

    private static void options(List<Option> options, MemorySegment out, long offset) {
        long at = offset;
        for (int i = 0; i < options.size(); i++) {
            Option option = options.get(i);
            int last = i + 1 == options.size() ? Wire.OPTION_LAST : 0;
            out.set(Wire.SHORT, at, (short) ((last | option.code()) << 8 | option.value().length));
            at = bytes(option.value(), out, at + Wire.OPTION_HEADER_BYTES);
        }
    }

    private static long bytes(byte[] bytes, MemorySegment out, long offset) {
        MemorySegment.copy(bytes, 0, out, Wire.BYTE, offset, bytes.length);
        return offset + bytes.length;
    }
}
