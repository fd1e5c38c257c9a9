package io.guidepost.handle.location;

import java.net.InetAddress;
import java.util.List;

/**
 * For whom a location is chosen.
 *
 * @param address whence they come
 * @param wanted attributes that their URL asks for, in order
 */
public record LocationClient(InetAddress address, List<Wanted> wanted) {
    /**
     * An attribute and the value that it should have.
     *
     * @param name of the attribute
     * @param value exactly; empty for any
     */
    public record Wanted(String name, String value) {
        /** Reads {@code name:value}, as it stands behind {@code locatt=}; without a colon any value will do. */
        public static Wanted parse(String text) {
            int colon = text.indexOf(':');
            return colon < 0
                    ? new Wanted(text, "")
                    : new Wanted(text.substring(0, colon), text.substring(colon + 1));
        }

        boolean of(HandleLocation location) {
            return location.attribute(name)
                    .filter(each -> value.isEmpty() || each.equals(value))
                    .isPresent();
        }
    }

    /** Copies the list. */
    public LocationClient {
        wanted = List.copyOf(wanted);
    }
}
