package io.guidepost.bench.names;

import java.util.Locale;

/** The names of the scene, by number, and their places; a place says how often it was changed. */
final class NumberedNames {
    private static final int PORT_MIN = 1024;
    private static final int PORTS = 60_000;

    private NumberedNames() {}

    static String name(long number) {
        return String.format(Locale.ROOT, "name-%07d", number);
    }

    /** Returns whether a text names the place of a name, after any changes. */
    static boolean isPlaceIn(String text, long number) {
        String place = place(number, 0);
        return text.contains(place.substring(0, place.indexOf(':') + 1));
    }

    /** Returns the place of a name after some changes. */
    static String place(long number, long change) {
        return "10." + (number >> 16 & 0xff) + '.' + (number >> 8 & 0xff) + '.' + (number & 0xff) + ':' + (PORT_MIN + change % PORTS);
    }
}
