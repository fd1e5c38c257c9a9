package io.guidepost.gnrs;

import io.guidepost.base.Malformed;
import io.guidepost.gnrs.wire.GnrsWire;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.names.NameForm;
import io.guidepost.names.PlaceAttributes;
import io.guidepost.names.Record;
import io.guidepost.names.Value;
import io.guidepost.store.RecordImage;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What a write says besides places: the text of its name, and attributes of places. They come among its addresses, in types of
 * our own, and are kept in values of the record, see {@link io.guidepost.names.NamedValues}. Most writes have none, and pay for
 * one comparison an address. Belongs to one worker.
 */
final class WriteAnnotations {
    private final List<Value> values = new ArrayList<>();

    void clear() {
        values.clear();
    }

    /** Adds an address of one of these types, which begins with type and length. */
    void add(MemorySegment segment, long at, int length) {
        int type = segment.get(GnrsWire.INT, at) >>> 16;
        byte[] data = new byte[length - GnrsWire.ADDRESS_HEADER_BYTES];
        MemorySegment.copy(segment, GnrsWire.BYTE, at + GnrsWire.ADDRESS_HEADER_BYTES, data, 0, data.length);
        boolean text = type == Locator.Type.NAME_TEXT.code();
        values.add(new Value(
                text ? 0 : values.size() + 1, text ? PlaceAttributes.TEXT_TYPE : PlaceAttributes.TYPE, data, 0, 0, 0, 0, List.of()));
    }

    /** Returns whether they are well formed, and a text is that of a GUID. */
    boolean areOf(MemorySegment segment, long guid) {
        try {
            for (Value each : values) {
                if (each.type().equals(PlaceAttributes.TYPE)) {
                    PlaceAttributes.locator(each);
                    PlaceAttributes.of(each);
                } else if (!NameForm.matches(new String(each.data(), StandardCharsets.UTF_8), Guid.read(segment, guid))) {
                    return false;
                }
            }
            return true;
        } catch (Malformed e) {
            return false;
        }
    }

    /** Returns a stored form of places alone with these values: the text first, and attributes of its places. */
    byte[] with(byte[] image) {
        if (values.isEmpty()) {
            return image;
        }
        try {
            Record places = RecordImage.read(image);
            Record nothing = new Record(places.name(), 0, List.of(), List.of());
            List<Value> kept = merged(nothing, new Record(places.name(), 0, places.bindings(), values));
            return RecordImage.write(places.name().key(), places.version(), places.bindings(), kept);
        } catch (Malformed e) {
            throw new AssertionError("a list of places makes a record", e);
        }
    }

    /**
     * Returns the values of a record after a write: those of the old one, the text of either, and for places of the write the
     * attributes that it says.
     */
    static List<Value> merged(Record old, Record fresh) throws Malformed {
        List<Locator> written = fresh.bindings().stream().map(Binding::locator).toList();
        List<Value> merged = new ArrayList<>();
        List<Value> texts = new ArrayList<>(fresh.values());
        texts.addAll(old.values());
        texts.stream().filter(each -> each.type().equals(PlaceAttributes.TEXT_TYPE)).limit(1).forEach(merged::add);
        for (Value each : old.values()) {
            boolean replaced = each.type().equals(PlaceAttributes.TYPE) && written.contains(PlaceAttributes.locator(each));
            if (!replaced && !each.type().equals(PlaceAttributes.TEXT_TYPE)) {
                merged.add(each);
            }
        }
        List<Locator> said = new ArrayList<>();
        for (Value each : fresh.values()) {
            if (each.type().equals(PlaceAttributes.TYPE)) {
                Locator place = PlaceAttributes.locator(each);
                if (written.contains(place) && !said.contains(place)) {
                    said.add(place);
                    merged.add(each);
                }
            }
        }
        return merged;
    }
}
