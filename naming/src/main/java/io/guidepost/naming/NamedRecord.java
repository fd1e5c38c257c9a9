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

/**
 * A name and where it is.
 *
 * @param name the name
 * @param version of its record
 * @param places in their order
 * @param attributes what is said of places
 */
record NamedRecord(NameForm name, long version, List<Binding> places, Map<Locator, PlaceAttributes> attributes) {
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

    /** Returns the schema Record of the API. */
    Map<String, Object> json() {
        return JsonWriter.object(
                "name", name.toString(),
                "guid", name.guid().toString(),
                "version", Long.toUnsignedString(version),
                "places", places.stream().map(this::json).toList());
    }

    private Map<String, Object> json(Binding place) {
        PlaceAttributes said = attributes.getOrDefault(place.locator(), PlaceAttributes.NONE);
        return JsonWriter.object(
                "place", place.locator().toString(),
                "ttl", place.ttlMillis() == 0 ? null : seconds(place.ttlMillis()),
                "expires", place.expiryMillis() == 0 ? null : Instant.ofEpochMilli(place.expiryMillis()).toString(),
                "weight", said.weight() < 0 ? null : said.weight(),
                "labels", said.labels().isEmpty() ? null : said.labels(),
                "lease", said.lease().isEmpty() ? null : said.lease());
    }

    /** Returns milliseconds as seconds: a whole number where it is one. */
    static Number seconds(long millis) {
        return millis % MILLIS == 0 ? (Number) (millis / MILLIS) : (Number) (millis / (double) MILLIS);
    }
}
