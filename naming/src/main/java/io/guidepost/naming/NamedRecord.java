package io.guidepost.naming;

import io.guidepost.base.Malformed;
import io.guidepost.names.Binding;
import io.guidepost.names.Locator;
import io.guidepost.names.NameForm;
import io.guidepost.names.NamedValues;
import io.guidepost.names.PlaceAttributes;
import io.guidepost.names.Record;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * A name and where it is.
 *
 * @param name the name
 * @param version of its record
 * @param places in their order
 * @param attributes what is said of places
 */
record NamedRecord(NameForm name, long version, List<Binding> places, Map<Locator, PlaceAttributes> attributes)
        implements JsonWriter.Written {
    private static final long MILLIS = 1000;

    NamedRecord {
        places = List.copyOf(places);
    }

    /** Returns a stored record; its own text counts where the name was given without one. */
    static NamedRecord of(NameForm asked, Record record) throws IOException {
        try {
            Optional<String> text = asked.text().or(() -> NamedValues.text(record));
            return new NamedRecord(
                    new NameForm(text, asked.guid()), record.version(), record.bindings(), NamedValues.attributes(record.values()));
        } catch (Malformed e) {
            throw new IOException("the record of " + asked + " is damaged: " + e.getMessage(), e);
        }
    }

    /** Returns the same with other places, or in another order. */
    NamedRecord with(List<Binding> others) {
        return new NamedRecord(name, version, others, attributes);
    }

    String tag() {
        return '"' + Long.toUnsignedString(version) + '"';
    }

    /** Writes the schema Record of the API. */
    @Override
    public void writeTo(JsonGenerator out) {
        writeTo(out, null);
    }

    /** The same, with the lease of a change. */
    void writeTo(JsonGenerator out, @Nullable Map<String, Object> lease) {
        out.writeStartObject();
        out.writeStringProperty("name", name.toString());
        out.writeStringProperty("guid", name.guid().toString());
        out.writeStringProperty("version", Long.toUnsignedString(version));
        out.writeName("places");
        out.writeStartArray();
        for (Binding each : places) {
            write(out, each, attributes.getOrDefault(each.locator(), PlaceAttributes.NONE));
        }
        out.writeEndArray();
        if (lease != null) {
            out.writeName("lease");
            JsonWriter.write(out, lease);
        }
        out.writeEndObject();
    }

    private static void write(JsonGenerator out, Binding place, PlaceAttributes said) {
        out.writeStartObject();
        out.writeStringProperty("place", place.locator().toString());
        if (place.ttlMillis() != 0) {
            out.writeName("ttl");
            JsonWriter.write(out, seconds(place.ttlMillis()));
        }
        if (place.expiryMillis() != 0) {
            out.writeStringProperty("expires", Instant.ofEpochMilli(place.expiryMillis()).toString());
        }
        if (said.weight() >= 0) {
            out.writeNumberProperty("weight", said.weight());
        }
        if (!said.labels().isEmpty()) {
            out.writeName("labels");
            JsonWriter.write(out, said.labels());
        }
        if (!said.lease().isEmpty()) {
            out.writeStringProperty("lease", said.lease());
        }
        out.writeEndObject();
    }

    /** Returns milliseconds as seconds: a whole number where it is one. */
    static Number seconds(long millis) {
        return millis % MILLIS == 0 ? (Number) (millis / MILLIS) : (Number) (millis / (double) MILLIS);
    }
}
