package io.guidepost.naming;

import io.guidepost.base.CommonLimits;
import io.guidepost.base.Malformed;
import io.guidepost.names.Binding;
import io.guidepost.names.Locator;
import io.guidepost.names.PlaceAttributes;
import io.guidepost.web.JsonField;
import io.guidepost.web.JsonValue;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Places as a request gives them.
 *
 * @param bindings in their order, each place once
 * @param attributes what is said of them
 */
record PlaceReader(List<Binding> bindings, Map<Locator, PlaceAttributes> attributes) {
    private static final Set<String> MEMBERS = Set.of("place", "ttl", "expires", "weight", "labels", "lease");
    private static final long TTL_MILLIS_MAX = 1L << 50;
    private static final int LABEL_BYTES_MAX = 256;
    private static final int NUMBER_CHARS_MAX = 20;

    static final PlaceReader NONE = new PlaceReader(List.of(), Map.of());

    /** Reads an array of the schema Place; none if it is absent. */
    static PlaceReader read(JsonField object, String member, long nowMillis) throws Malformed {
        List<Binding> bindings = new ArrayList<>();
        Map<Locator, PlaceAttributes> attributes = new HashMap<>();
        for (JsonField each : object.read(member, List.<JsonField>of(), field -> field.elements(CommonLimits.LOCATORS_MAX))) {
            known(each, MEMBERS);
            JsonField place = each.member("place");
            Locator locator = locator(place);
            if (attributes.put(locator, attributes(each)) != null) {
                throw place.refused("stands twice: " + locator);
            }
            long ttlMillis = each.read("ttl", 0L, PlaceReader::ttl);
            bindings.add(new Binding(locator, ttlMillis, each.read("expires", 0L, field -> expires(field, nowMillis))));
        }
        return new PlaceReader(bindings, attributes);
    }

    /** Refuses members that the schema does not have: a misspelt one would be lost unnoticed. */
    static void known(JsonField object, Set<String> members) throws Malformed {
        for (String each : object.members().keySet()) {
            if (!members.contains(each)) {
                throw object.refused("has no member '" + each + "': there are " + String.join(", ", new java.util.TreeSet<>(members)));
            }
        }
    }

    /** Reads one place. */
    static Locator locator(JsonField field) throws Malformed {
        String text = field.text();
        try {
            Locator locator = Locator.parse(text);
            if (locator.data().length == 0 || locator.data().length > CommonLimits.LOCATOR_BYTES_MAX) {
                throw field.refused("has 1 to " + CommonLimits.LOCATOR_BYTES_MAX + " bytes");
            }
            return locator;
        } catch (Malformed e) {
            throw new Malformed(field.path() + ": " + e.reason(), field.json().at());
        }
    }

    private static long ttl(JsonField field) throws Malformed {
        if (field.json() instanceof JsonValue.Number(String digits, long _) && digits.length() <= NUMBER_CHARS_MAX && !digits.contains("e")
                && !digits.contains("E")) {
            BigDecimal millis = new BigDecimal(digits).movePointRight(3);
            boolean whole = millis.signum() >= 0 && millis.stripTrailingZeros().scale() <= 0;
            if (whole && millis.compareTo(BigDecimal.valueOf(TTL_MILLIS_MAX)) <= 0) {
                return millis.longValueExact();
            }
        }
        throw field.refused("is a number of seconds, not negative, to the millisecond");
    }

    private static long expires(JsonField field, long nowMillis) throws Malformed {
        try {
            long millis = Instant.parse(field.text()).toEpochMilli();
            if (millis <= nowMillis) {
                throw field.refused("is in the past; here it is " + Instant.ofEpochMilli(nowMillis));
            }
            return millis;
        } catch (DateTimeException | ArithmeticException e) {
            throw field.refused("is a time such as 2026-11-27T13:15:00Z");
        }
    }

    private static PlaceAttributes attributes(JsonField place) throws Malformed {
        int weight = place.read("weight", -1L, field -> field.integer(0, PlaceAttributes.WEIGHT_MAX)).intValue();
        JsonField said = place.find("labels").orElse(null);
        if (weight < 0 && said == null) {
            return PlaceAttributes.NONE;
        }
        SortedMap<String, String> labels = new TreeMap<>();
        if (said != null) {
            for (String key : said.members().keySet()) {
                String text = said.member(key).text();
                int bytes = bytes(key);
                if (bytes == 0 || bytes > PlaceAttributes.KEY_BYTES_MAX || bytes(text) > LABEL_BYTES_MAX) {
                    throw said.refused("has keys of 1 to " + PlaceAttributes.KEY_BYTES_MAX + " bytes, and texts of at most "
                            + LABEL_BYTES_MAX);
                }
                labels.put(key, text);
            }
            if (labels.size() > PlaceAttributes.LABELS_MAX) {
                throw said.refused("has at most " + PlaceAttributes.LABELS_MAX + " members, not " + labels.size());
            }
        }
        PlaceAttributes attributes = new PlaceAttributes(weight, labels, "", 0);
        if (said != null && attributes.labelsBytes() > PlaceAttributes.LABELS_BYTES_MAX) {
            throw said.refused("has at most " + PlaceAttributes.LABELS_BYTES_MAX + " bytes together");
        }
        return attributes;
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
