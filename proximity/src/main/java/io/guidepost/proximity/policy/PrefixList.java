package io.guidepost.proximity.policy;

import io.guidepost.base.FaultyFile;
import io.guidepost.base.LineReader;
import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * An ordered list of rules for prefixes, as routers have them ({@code ip prefix-list}): the first rule that matches decides,
 * and a prefix that none matches is denied. Immutable.
 *
 * <pre>
 * [permit|deny] PREFIX [ge LENGTH] [le LENGTH]     # comment
 * </pre>
 *
 * <p>A rule without lengths matches its prefix alone; with {@code le}, also the more specific ones up to that length; with
 * {@code ge}, those from that length on. Without {@code permit} or {@code deny} a line permits.
 */
public final class PrefixList {
    /** A list that permits nothing. */
    public static final PrefixList NONE = within(List.of());

    private static final int LENGTH_MAX = 128;

    private static final String EXPECTED = ": write [permit|deny] PREFIX [ge LENGTH] [le LENGTH], such as 192.0.2.0/24 le 28";

    /** Lengths are of 128 bits. */
    private record Rule(int order, boolean permit, int least, int most) {}

    private final Map<Prefix, List<Rule>> rules = new HashMap<>();

    /** The lengths of all prefixes in {@link #rules}. */
    private final BitSet lengths = new BitSet();

    private int size;

    private PrefixList() {}

    private void add(Prefix prefix, boolean permit, int least, int most) {
        rules.computeIfAbsent(prefix, _ -> new ArrayList<>(1)).add(new Rule(size++, permit, least, most));
        lengths.set(prefix.length());
    }

    /** Returns a list that permits prefixes and all that are more specific. */
    public static PrefixList within(Collection<Prefix> prefixes) {
        PrefixList list = new PrefixList();
        prefixes.forEach(each -> list.add(each, true, each.length(), LENGTH_MAX));
        return list;
    }

    /**
     * Reads a list from a file, one rule on each line.
     *
     * @throws FaultyFile with each wrong line
     */
    public static PrefixList read(Path file) throws IOException, FaultyFile {
        try (LineReader lines = LineReader.open(file)) {
            return read(lines);
        }
    }

    /** Reads a list of which the caller knows that it is right. */
    static PrefixList of(String text) {
        try (LineReader lines = LineReader.of("", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)))) {
            return read(lines);
        } catch (IOException | FaultyFile e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private static PrefixList read(LineReader lines) throws IOException, FaultyFile {
        PrefixList list = new PrefixList();
        List<String> words = new ArrayList<>();
        while (lines.nextLine()) {
            words.clear();
            do {
                words.add(lines.field());
            } while (lines.nextField());
            try {
                list.add(words);
            } catch (Malformed e) {
                lines.fault(e.reason() + EXPECTED);
            }
        }
        lines.check();
        return list;
    }

    private void add(List<String> words) throws Malformed {
        boolean deny = words.getFirst().equals("deny");
        int at = deny || words.getFirst().equals("permit") ? 1 : 0;
        if (at == words.size()) {
            throw new Malformed("the prefix is missing", 0);
        }
        Prefix prefix = Prefix.parseOrAddress(words.get(at));
        int before = prefix.isIpv4() ? Prefix.IPV4_BITS_BEFORE : 0;
        int least = prefix.length();
        int most = prefix.length();
        for (at++; at < words.size(); at += 2) {
            String number = at + 1 < words.size() ? words.get(at + 1) : "";
            int length = before + length(number, prefix.length() - before, LENGTH_MAX - before);
            switch (words.get(at)) {
                case "ge" -> {
                    least = length;
                    most = Math.max(most, LENGTH_MAX);
                }
                case "le" -> most = length;
                default -> throw new Malformed("'" + words.get(at) + "' is neither ge nor le", 0);
            }
        }
        add(prefix, !deny, least, most);
    }

    private static int length(String text, int least, int most) throws Malformed {
        try {
            int length = Integer.parseInt(text);
            if (length >= least && length <= most) {
                return length;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new Malformed("'" + text + "' is not a length from " + least + " to " + most, 0);
    }

    /** Returns whether the list permits a prefix. */
    public boolean permits(Prefix prefix) {
        Rule first = null;
        int least = prefix.isIpv4() ? Prefix.IPV4_BITS_BEFORE : 0;
        for (int length = lengths.nextSetBit(least); length >= 0 && length <= prefix.length(); length = lengths.nextSetBit(length + 1)) {
            for (Rule each : rules.getOrDefault(new Prefix(prefix.high(), prefix.low(), length), List.of())) {
                boolean matches = prefix.length() >= each.least && prefix.length() <= each.most;
                if (matches && (first == null || each.order < first.order)) {
                    first = each;
                }
            }
        }
        return first != null && first.permit;
    }
}
