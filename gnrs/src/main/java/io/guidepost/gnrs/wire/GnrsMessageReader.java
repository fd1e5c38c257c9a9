package io.guidepost.gnrs.wire;

import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Converts a parsed message to its object form. */
final class GnrsMessageReader {
    private GnrsMessageReader() {}

    static GnrsMessage read(GnrsMessageFlyweight in) {
        Locator origin = new Locator(in.originType(), bytes(in.segment(), in.origin(), in.originLength()));
        List<GnrsOption> options = options(in);
        GnrsMessage.Code code = in.code() == GnrsWire.SUCCESS ? GnrsMessage.Code.SUCCESS : GnrsMessage.Code.FAILED;
        return switch (in.type()) {
            case GnrsWire.INSERT -> new GnrsMessage.Insert(in.id(), origin, guid(in), locators(in), options);
            case GnrsWire.LOOKUP -> new GnrsMessage.Lookup(in.id(), origin, guid(in), options);
            case GnrsWire.UPDATE -> new GnrsMessage.Update(in.id(), origin, guid(in), locators(in), options);
            case GnrsWire.INSERT_RESPONSE -> new GnrsMessage.InsertResponse(in.id(), origin, code, options);
            case GnrsWire.UPDATE_RESPONSE -> new GnrsMessage.UpdateResponse(in.id(), origin, code, options);
            case GnrsWire.LOOKUP_RESPONSE ->
                new GnrsMessage.LookupResponse(in.id(), origin, code, locators(in), options);
            default -> throw new IllegalStateException("the parser lets no type " + in.type() + " pass");
        };
    }

    private static Guid guid(GnrsMessageFlyweight in) {
        return Guid.read(in.segment(), in.guid());
    }

    private static List<Locator> locators(GnrsMessageFlyweight in) {
        List<Locator> locators = new ArrayList<>(in.bindings());
        long at = in.addresses();
        for (int i = 0; i < in.bindings(); i++) {
            int header = in.segment().get(GnrsWire.INT, at);
            int length = header & 0xffff;
            locators.add(new Locator(header >>> 16, bytes(in.segment(), at + GnrsWire.ADDRESS_HEADER_BYTES, length)));
            at += GnrsWire.ADDRESS_HEADER_BYTES + length;
        }
        return locators;
    }

    private static List<GnrsOption> options(GnrsMessageFlyweight in) {
        List<GnrsOption> options = new ArrayList<>();
        long end = in.offset() + in.length();
        for (long at = in.options(); at < end; ) {
            int header = Short.toUnsignedInt(in.segment().get(GnrsWire.SHORT, at));
            int length = header & 0xff;
            byte[] value = bytes(in.segment(), at + GnrsWire.OPTION_HEADER_BYTES, length);
            options.add(new GnrsOption(header >>> 8 & ~GnrsWire.OPTION_LAST, value));
            at += GnrsWire.OPTION_HEADER_BYTES + length;
        }
        return options;
    }

    private static byte[] bytes(MemorySegment segment, long offset, int length) {
        return segment.asSlice(offset, length).toArray(GnrsWire.BYTE);
    }
}
