package io.guidepost.naming;

import io.guidepost.names.Guid;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A point in the changes of names, which watchers go on from: two hexadecimal numbers with a dash between.
 *
 * <p>Why the second? Numbers of changes are those of one history. A store that was restored from a backup, or another server,
 * gives the same numbers to other changes; the check tells them apart.
 *
 * @param sequence number of a change in the store's feed
 * @param check follows from the change, so that another history is noticed
 */
record Position(long sequence, int check) {
    /** The version of a name that has no places any more. */
    static final long NOWHERE = 0;

    private static final Pattern FORM = Pattern.compile("([0-9a-f]{1,16})-([0-9a-f]{1,8})");

    /** Returns the position of a change of a name. */
    static Position of(long sequence, Guid guid, long version) {
        long word = (guid.high() ^ Long.rotateLeft(version, 17)) * 0x9e3779b97f4a7c15L;
        return new Position(sequence, (int) (word >>> 32));
    }

    static Position parse(String text) throws Problem {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            String shown = text.length() > 40 ? text.substring(0, 40) + "..." : text;
            throw new Problem(Problem.Kind.MALFORMED_POSITION, "'" + shown + "' is not a position: send one that a list or an event had");
        }
        return new Position(Long.parseUnsignedLong(parts.group(1), 16), Integer.parseUnsignedInt(parts.group(2), 16));
    }

    @Override
    public String toString() {
        return Long.toHexString(sequence) + '-' + Integer.toHexString(check);
    }
}
