package io.guidepost.gnrs;

import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Makes objects of a message that was parsed. */
final class MessageReader {
    private MessageReader() {}

    static Message read(MessageFlyweight in) {
        Locator origin = new Locator(in.originType(), bytes(in.segment(), in.origin(), in.originLength()));
        List<Option> options = options(in);
        Message.Code code = in.code() == Wire.SUCCESS ? Message.Code.SUCCESS : Message.Code.FAILED;
        return switch (in.type()) {
            case Wire.INSERT -> new Message.Insert(in.id(), origin, guid(in), locators(in), options);
            case Wire.LOOKUP -> new Message.Lookup(in.id(), origin, guid(in), options);
            case Wire.UPDATE -> new Message.Update(in.id(), origin, guid(in), locators(in), options);
            case Wire.INSERT_RESPONSE -> new Message.InsertResponse(in.id(), origin, code, options);
            case Wire.UPDATE_RESPONSE -> new Message.UpdateResponse(in.id(), origin, code, options);
            case Wire.LOOKUP_RESPONSE ->
                new Message.LookupResponse(in.id(), origin, code, locators(in), options);
            default -> throw new IllegalStateException("the parser lets no type " + in.type() + " pass");
        };
    }

    private static Guid guid(MessageFlyweight in) {
        return Guid.read(in.segment(), in.guid());
    }

    private static List<Locator> locators(MessageFlyweight in) {
        List<Locator> locators = new ArrayList<>(in.bindings());
        long at = in.addresses();
        for (int i = 0; i < in.bindings(); i++) {
            int header = in.segment().get(Wire.INT, at);
            int length = header & 0xffff;
            locators.add(new Locator(header >>> 16, bytes(in.segment(), at + Wire.ADDRESS_HEADER_BYTES, length)));
            at += Wire.ADDRESS_HEADER_BYTES + length;
        }
        return locators;
    }

    private static List<Option> options(MessageFlyweight in) {
        List<Option> options = new ArrayList<>();
        long end = in.offset() + in.length();
        for (long at = in.options(); at < end; ) {
            int header = Short.toUnsignedInt(in.segment().get(Wire.SHORT, at));
            int length = header & 0xff;
            byte[] value = bytes(in.segment(), at + Wire.OPTION_HEADER_BYTES, length);
            options.add(new Option(header >>> 8 & ~Wire.OPTION_LAST, value));
            at += Wire.OPTION_HEADER_BYTES + length;
        }
        return options;
    }

    private static byte[] bytes(MemorySegment segment, long offset, int length) {
        return segment.asSlice(offset, length).toArray(Wire.BYTE);
    }
}
