package io.guidepost.scaffold.flow;

import io.guidepost.names.Guid;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Names that an object router has answered lately, with their objects: a program that connects often asks for its name each time, and
 * each question would cost a round trip to the router. Belongs to one thread.
 */
final class KnownNames {
    /** A sixth of the 30 s for which programs may remember the answer themselves. */
    static final long KNOWN_NANOS = 5_000 * LocalHost.MILLI;

    /** Names of a busy host; beyond, the oldest is forgotten. */
    private static final int NAMES_MAX = 4_096;

    private record KnownName(Guid object, long untilNanos) {}

    private final Map<String, KnownName> names = new LinkedHashMap<>();

    /** Returns the object of a name; null if it is not known now. */
    @Nullable
    Guid find(String name, long nowNanos) {
        KnownName known = names.get(name);
        return known == null || known.untilNanos - nowNanos <= 0 ? null : known.object;
    }

    void put(String name, Guid object, long nowNanos) {
        names.remove(name);
        if (names.size() >= NAMES_MAX) {
            names.remove(names.keySet().iterator().next());
        }
        names.put(name, new KnownName(object, nowNanos + KNOWN_NANOS));
    }
}
