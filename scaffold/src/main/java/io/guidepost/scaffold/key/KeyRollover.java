package io.guidepost.scaffold.key;

import io.guidepost.scaffold.wire.ControlMessage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The associations of two hosts while their keys of the hour change, so that nothing is lost: the one in use; the next, which is
 * heard, and is in use from when the other host has shown that it has it; and the one before, which is heard for a while, as messages
 * overtake each other and a gateway may start again meanwhile. Belongs to one thread.
 */
public final class KeyRollover {
    /** For so long what is sealed with the association before is taken. */
    static final long BEFORE_NANOS = 300_000_000_000L;

    private Association now;
    private @Nullable Association next;
    private @Nullable Association before;
    private long untilNanos;

    /** Begins with what was agreed first. */
    public KeyRollover(Association first) {
        now = first;
    }

    /** Returns the association in use. */
    public Association now() {
        return now;
    }

    /** Returns the one that is in use as soon as the other host has shown that it has it; null if there is none. */
    public @Nullable Association next() {
        return next;
    }

    /** Returns the newest: for messages in which the own keys stand, as these tell the other host what to check them with. */
    public Association newest() {
        return next == null ? now : next;
    }

    /** Returns whether two keys of the hour have agreed already: what they agree on must not begin to count anew. */
    public boolean knows(HostKey ownShare, byte[] peerShare) {
        return Stream.of(now, next, before).anyMatch(each -> each != null && each.isBy(ownShare) && each.isOf(peerShare));
    }

    /** Takes what the keys in a message of the other host agree on, which has not shown yet that it has it. */
    public void next(Association agreed) {
        next = agreed;
    }

    /** Uses an association from now on. */
    public void use(Association agreed, long nowNanos) {
        now.keepNoMore();
        before = now;
        untilNanos = nowNanos + BEFORE_NANOS;
        now = agreed;
        next = null;
    }

    /** Returns whether a message is from the other host, and is heard for the first time. */
    public boolean check(Seal seal, ControlMessage message, long nowNanos) {
        Association late = before(nowNanos);
        return seal.check(now, message)
                || hearsNext(next != null && seal.check(next, message), nowNanos)
                || late != null && seal.check(late, message);
    }

    /** Opens a sealed packet as {@link DataSeal#open} does. */
    public int open(DataSeal data, long header, int length, long nowNanos) {
        int bytes = data.open(now, header, length);
        if (bytes < 0 && next != null) {
            bytes = data.open(next, header, length);
            hearsNext(bytes >= 0, nowNanos);
        }
        Association late = before(nowNanos);
        return bytes < 0 && late != null ? data.open(late, header, length) : bytes;
    }

    private boolean hearsNext(boolean heard, long nowNanos) {
        Association following = next;
        if (heard && following != null) {
            use(following, nowNanos);
        }
        return heard;
    }

    private @Nullable Association before(long nowNanos) {
        before = untilNanos - nowNanos > 0 ? before : null;
        return before;
    }
}
