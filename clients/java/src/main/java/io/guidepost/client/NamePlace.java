package io.guidepost.client;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A place of a name. Immutable.
 *
 * @param address {@code 10.1.2.3:4444}, {@code [2001:db8::1]:4444}, {@code guid:} and 40 digits, or a URL
 * @param ttl how long a cache may keep it; null if it is not set
 * @param expires when it ends; null if it does not
 * @param weight its share among places that are equally near; null if it is not set
 * @param labels what else is known of it
 */
public record NamePlace(
        String address, @Nullable Duration ttl, @Nullable Instant expires, @Nullable Integer weight, Map<String, String> labels) {
    /** Copies the labels. */
    public NamePlace {
        labels = Map.copyOf(labels);
    }

    /** Returns a place without anything else. */
    public static NamePlace of(String address) {
        return new NamePlace(address, null, null, null, Map.of());
    }

    static NamePlace read(Map<String, Object> json) {
        Object ttl = json.get("ttl");
        Object expires = json.get("expires");
        Object weight = json.get("weight");
        Map<String, String> labels = new LinkedHashMap<>();
        JsonText.object(json.getOrDefault("labels", Map.of())).forEach((key, value) -> labels.put(key, String.valueOf(value)));
        return new NamePlace(
                JsonText.of(String.class, json.get("place")),
                ttl instanceof Number seconds ? Duration.ofMillis(Math.round(1000 * seconds.doubleValue())) : null,
                expires == null ? null : Instant.parse(JsonText.of(String.class, expires)),
                weight instanceof Number number ? number.intValue() : null,
                labels);
    }

    Map<String, Object> write() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("place", address);
        if (ttl != null) {
            json.put("ttl", ttl.toMillis() / 1000.0);
        }
        if (expires != null) {
            json.put("expires", expires.toString());
        }
        if (weight != null) {
            json.put("weight", weight);
        }
        if (!labels.isEmpty()) {
            json.put("labels", labels);
        }
        return json;
    }

    /** Returns the address. */
    @Override
    public String toString() {
        return address;
    }
}
