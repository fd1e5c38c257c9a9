package io.guidepost.handle.location;

import java.net.InetAddress;
import java.util.List;

/**
 * The client that a location is selected for.
 *
 * @param address of the client
 * @param wanted attributes that the URL asks for, in order
 */
public record LocationClient(InetAddress address, List<Wanted> wanted) {
    /**
     * A wanted attribute and its value.
     *
     * @param name of the attribute
     * @param value exact; empty for any
     */
    public record Wanted(String name, String value) {
        /** Parses {@code name:value}, the value of {@code locatt=}; without a colon any value matches. */
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
