package io.guidepost.naming;

import io.guidepost.base.Malformed;
import io.guidepost.names.Guid;
import io.guidepost.names.NameForm;
import io.guidepost.names.Record;
import io.guidepost.store.Expire;
import io.guidepost.store.RecordImage;
import io.guidepost.web.JsonWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A change of a name as watchers are told: rendered once, when the first of them is. Thread-safe. */
final class NameEvent {
    private final Position position;
    private final NameForm name;
    private final long version;
    private final byte @Nullable [] image;
    private byte @Nullable [] rendered;

    /**
     * Creates it.
     *
     * @param version of the record; of one without places that of the last change of any name before
     * @param image the record's stored form, or null if it has no places any more
     */
    NameEvent(Position position, NameForm name, long version, byte @Nullable [] image) {
        this.position = position;
        this.name = name;
        this.version = version;
        this.image = image;
    }

    Position position() {
        return position;
    }

    long sequence() {
        return position.sequence();
    }

    /** Returns whether a record of some version of its name was made by a later change. */
    boolean isBefore(long other) {
        return version < other;
    }

    long version() {
        return version;
    }

    byte @Nullable [] image() {
        return image;
    }

    Guid guid() {
        return name.guid();
    }

    String text() {
        return name.toString();
    }

    /** Returns the bytes that it takes in memory, about: the JSON of a record is some four times as long as the record, which stays too. */
    long bytes() {
        return NamingLimits.EVENT_BYTES + 2L * text().length() + (image == null ? 0 : 5L * image.length);
    }

    /** Returns the lines of the event. */
    synchronized byte[] lines(long nowMillis) throws IOException {
        byte[] lines = rendered;
        if (lines == null) {
            lines = image == null ? deleted() : put(image, nowMillis);
            rendered = lines;
        }
        return lines;
    }

    private byte[] put(byte[] stored, long nowMillis) throws IOException {
        try {
            Record live = Expire.left(RecordImage.read(stored), nowMillis);
            return event(Optional.of(position), "put", NamedRecord.of(name, live));
        } catch (Malformed e) {
            throw new IOException("the record of " + name + " is damaged: " + e.getMessage(), e);
        }
    }

    private byte[] deleted() {
        return event(Optional.of(position), "delete", JsonWriter.object("name", name.toString(), "guid", name.guid().toString()));
    }

    /** Returns the lines of an event (the HTML standard, section 9.2); one without a position has no id. */
    static byte[] event(Optional<Position> position, String type, Object data) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(256);
        String head = position.map(each -> "id: " + each + "\n").orElse("") + "event: " + type + "\ndata: ";
        out.writeBytes(head.getBytes(StandardCharsets.US_ASCII));
        out.writeBytes(JsonWriter.bytes(data));
        out.writeBytes(new byte[] {'\n', '\n'});
        return out.toByteArray();
    }
}
