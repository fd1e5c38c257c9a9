package io.guidepost.lab.simulation;

import io.guidepost.naming.NameDirectory;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A watcher of names that comes, reads for a while, leaves and goes on where it was, as a client of server-sent events does. */
final class SimulatedWatcher {
    private static final Pattern NAME = Pattern.compile("\"name\":\"([^\"]*)\"");

    /** Ends a stream: the client has what it wanted. */
    private static final class Left extends IOException {
        private static final long serialVersionUID = 1L;
    }

    private final String prefix;
    private final Set<String> known = new HashSet<>();
    private final List<Long> seen = new ArrayList<>();
    private String position = "";
    private long floor;
    private int taken;
    private int resets;

    SimulatedWatcher(String prefix) {
        this.prefix = prefix;
    }

    String prefix() {
        return prefix;
    }

    /** Returns the names that it takes for bound. */
    Set<String> known() {
        return known;
    }

    /** Returns the numbers of the changes that it was told, in their order. */
    List<Long> seen() {
        return seen;
    }

    /** Returns the number of the last change that its last snapshot had. */
    long floor() {
        return floor;
    }

    int taken() {
        return taken;
    }

    int resets() {
        return resets;
    }

    /** Reads until there is nothing more to be told, or some events have come. */
    void read(NameDirectory names, long sequence, int most) throws IOException {
        boolean[] snapshot = {position.isEmpty()};
        if (snapshot[0]) {
            known.clear();
        }
        int[] left = {most};
        try {
            names.watch(prefix, position, Duration.ZERO).write(new OutputStream() {
                @Override
                public void write(int one) {
                    throw new IllegalStateException("events are written whole");
                }

                @Override
                public void write(byte[] bytes) throws IOException {
                    write(bytes, 0, bytes.length);
                }

                @Override
                public void write(byte[] bytes, int from, int length) throws IOException {
                    String text = new String(bytes, from, length, StandardCharsets.UTF_8);
                    if (text.startsWith(":") || left[0]-- == 0) {
                        throw new Left();
                    }
                    take(text, snapshot, sequence);
                }
            });
        } catch (Left enough) {
            // It comes again.
        }
    }

    private void take(String text, boolean[] snapshot, long sequence) {
        taken++;
        if (text.contains("event: reset")) {
            resets++;
            snapshot[0] = true;
            position = "";
            known.clear();
            return;
        }
        Matcher name = NAME.matcher(text);
        if (name.find() && text.contains("event: put")) {
            known.add(name.group(1));
        } else if (text.contains("event: delete")) {
            known.remove(name.group(1));
        }
        if (text.startsWith("id: ")) {
            position = text.substring(4, text.indexOf('\n'));
            if (!text.contains("event: ready")) {
                seen.add(Long.parseUnsignedLong(position.substring(0, position.indexOf('-')), 16));
            } else if (snapshot[0]) {
                floor = sequence;
                snapshot[0] = false;
            }
        }
    }
}
