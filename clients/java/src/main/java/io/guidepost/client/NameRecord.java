package io.guidepost.client;

import java.util.List;
import java.util.Map;

/**
 * The places of a name. Immutable.
 *
 * @param name the name, in the form in which it is listed
 * @param guid 40 hexadecimal digits
 * @param version grows with every change; a write can demand it
 * @param places its places
 */
public record NameRecord(String name, String guid, String version, List<NamePlace> places) {
    /** Copies the list. */
    public NameRecord {
        places = List.copyOf(places);
    }

    static NameRecord read(Map<String, Object> json) {
        List<NamePlace> places = JsonText.list(json.get("places")).stream().map(each -> NamePlace.read(JsonText.object(each))).toList();
        return new NameRecord(
                JsonText.of(String.class, json.get("name")),
                JsonText.of(String.class, json.get("guid")),
                JsonText.of(String.class, json.get("version")),
                places);
    }
}
