package io.guidepost.naming;

import io.guidepost.base.Memory;
import io.guidepost.names.Guid;
import io.guidepost.names.NameForm;
import io.guidepost.store.RecordImage;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The latest changes of names, one behind the other in pieces of memory that are used again.
 *
 * <pre>
 *  0  4  length of the entry
 *  4  8  number of the change in the store's feed; that of a later entry is higher
 * 12  2  t, bytes of the text
 * 14  t  text of the name in UTF-8
 *     .  image of its record; if it has no places any more version (8), see {@link NameEvent}, and GUID (20)
 * </pre>
 *
 * <p>Why not objects? They take three times as much, and each lives until its room is needed: a collector of generations moves them
 * all to where it looks last, and its heap grows meanwhile to three times what it holds.
 *
 * <p>A place is where an entry stands, as a number: that of a later entry is higher. Not thread-safe.
 */
final class ChangeRing {
    private static final int PIECES = 64;
    private static final int SEQUENCE_AT = 4;
    private static final int TEXT_BYTES_AT = 12;
    private static final int TEXT_AT = 14;
    private static final int REMOVAL_BYTES = Long.BYTES + Guid.BYTES;

    static {
        if (REMOVAL_BYTES >= RecordImage.HEADER_BYTES) {
            throw new AssertionError("its length tells an image from a removal");
        }
    }

    private final int pieceBytes;
    private final long bytesMax;
    private final List<Piece> pieces = new ArrayList<>();
    private @Nullable Piece spare;
    private long bytes;

    /** Number of the oldest piece; those of others follow. */
    private int oldest;

    /** Some memory with entries. */
    private static final class Piece {
        private final byte[] bytes;
        private int filled;

        /** Where its last entry begins. */
        private int last;

        Piece(int bytes) {
            this.bytes = new byte[bytes];
        }
    }

    /** Creates an empty one, which takes at most some bytes for its entries, or has one of them. */
    ChangeRing(long bytesMax) {
        this.bytesMax = bytesMax;
        this.pieceBytes = (int) Math.min(bytesMax / PIECES, 1 << 30);
    }

    boolean isEmpty() {
        return pieces.isEmpty();
    }

    /** Returns the bytes of its memory. */
    long bytes() {
        return bytes;
    }

    /** Forgets all. */
    void clear() {
        oldest += pieces.size();
        pieces.clear();
        spare = null;
        bytes = 0;
    }

    private static long place(int piece, int at) {
        return (long) piece << Integer.SIZE | at;
    }

    private Piece piece(long place) {
        return pieces.get((int) (place >>> Integer.SIZE) - oldest);
    }

    private static int size(NameEvent event, byte[] text) {
        byte[] image = event.image();
        return TEXT_AT + text.length + (image == null ? REMOVAL_BYTES : image.length);
    }

    /**
     * Adds a change; returns its place.
     *
     * @param forgets is told up to which place entries are forgotten to make room, while they are still there
     */
    long add(NameEvent event, LongConsumer forgets) {
        byte[] text = event.text().getBytes(StandardCharsets.UTF_8);
        int wanted = size(event, text);
        Piece open = pieces.isEmpty() ? null : pieces.getLast();
        if (open == null || open.bytes.length - open.filled < wanted) {
            while (!pieces.isEmpty() && bytes + Math.max(wanted, pieceBytes) > bytesMax) {
                forgets.accept(place(oldest, pieces.getFirst().last));
                forget();
            }
            open = fresh(wanted);
            pieces.add(open);
            bytes += open.bytes.length;
        }
        write(event, text, open.bytes, open.filled, wanted);
        open.last = open.filled;
        open.filled += wanted;
        return place(oldest + pieces.size() - 1, open.last);
    }

    private void forget() {
        Piece gone = pieces.removeFirst();
        oldest++;
        bytes -= gone.bytes.length;
        if (gone.bytes.length == pieceBytes) {
            spare = gone;
        }
    }

    private Piece fresh(int wanted) {
        Piece used = spare;
        if (used == null || wanted > pieceBytes) {
            return new Piece(Math.max(wanted, pieceBytes));
        }
        spare = null;
        used.filled = 0;
        return used;
    }

    private static void write(NameEvent event, byte[] text, byte[] to, int at, int length) {
        Memory.intAt(to, at, length);
        Memory.longAt(to, at + SEQUENCE_AT, event.sequence());
        to[at + TEXT_BYTES_AT] = (byte) (text.length >> 8);
        to[at + TEXT_BYTES_AT + 1] = (byte) text.length;
        System.arraycopy(text, 0, to, at + TEXT_AT, text.length);
        int rest = at + TEXT_AT + text.length;
        byte[] image = event.image();
        if (image == null) {
            Memory.longAt(to, rest, event.version());
            System.arraycopy(event.guid().toBytes(), 0, to, rest + Long.BYTES, Guid.BYTES);
        } else {
            System.arraycopy(image, 0, to, rest, image.length);
        }
    }

    private static int textBytes(byte[] bytes, int at) {
        return (bytes[at + TEXT_BYTES_AT] & 0xff) << 8 | bytes[at + TEXT_BYTES_AT + 1] & 0xff;
    }

    /** Returns the number of the change at a place. */
    long sequence(long place) {
        return Memory.longAt(piece(place).bytes, (int) place + SEQUENCE_AT);
    }

    /** Returns the change at a place. */
    NameEvent get(long place) {
        byte[] bytes = piece(place).bytes;
        int at = (int) place;
        int rest = at + TEXT_AT + textBytes(bytes, at);
        int end = at + Memory.intAt(bytes, at);
        boolean removal = end - rest == REMOVAL_BYTES;
        byte[] image = removal ? null : Arrays.copyOfRange(bytes, rest, end);
        Guid guid = image == null ? Guid.of(Arrays.copyOfRange(bytes, rest + Long.BYTES, end)) : guid(image);
        long version = image == null ? Memory.longAt(bytes, rest) : RecordImage.version(MemorySegment.ofArray(image), 0);
        String text = new String(bytes, at + TEXT_AT, rest - at - TEXT_AT, StandardCharsets.UTF_8);
        return new NameEvent(
                Position.of(Memory.longAt(bytes, at + SEQUENCE_AT), guid, image == null ? Position.NOWHERE : version),
                new NameForm(Optional.of(text), guid),
                version,
                image);
    }

    private static Guid guid(byte[] image) {
        int key = RecordImage.HEADER_BYTES + 1;
        return Guid.of(Arrays.copyOfRange(image, key, key + Guid.BYTES));
    }

    /** Returns the change with a number; empty if it is not there. */
    Optional<NameEvent> find(long sequence) {
        int piece = pieceOf(sequence);
        if (piece < 0) {
            return Optional.empty();
        }
        Piece there = pieces.get(piece);
        for (int at = 0; at < there.filled; at += Memory.intAt(there.bytes, at)) {
            if (Memory.longAt(there.bytes, at + SEQUENCE_AT) == sequence) {
                return Optional.of(get(place(oldest + piece, at)));
            }
        }
        return Optional.empty();
    }

    /** Returns the index of the piece that a change is in if it is there; -1 if it is older than all. */
    private int pieceOf(long sequence) {
        int from = 0;
        int to = pieces.size();
        while (from < to) {
            int middle = from + to >>> 1;
            if (Memory.longAt(pieces.get(middle).bytes, SEQUENCE_AT) <= sequence) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from - 1;
    }

    /** Visits the places of changes after one, of names with a prefix. */
    void after(long sequence, String prefix, LongConsumer visitor) {
        byte[] wanted = prefix.getBytes(StandardCharsets.UTF_8);
        for (int piece = Math.max(0, pieceOf(sequence)); piece < pieces.size(); piece++) {
            Piece there = pieces.get(piece);
            for (int at = 0; at < there.filled; at += Memory.intAt(there.bytes, at)) {
                if (Memory.longAt(there.bytes, at + SEQUENCE_AT) > sequence && begins(there.bytes, at, wanted)) {
                    visitor.accept(place(oldest + piece, at));
                }
            }
        }
    }

    private static boolean begins(byte[] bytes, int at, byte[] prefix) {
        int text = at + TEXT_AT;
        return textBytes(bytes, at) >= prefix.length
                && Arrays.equals(bytes, text, text + prefix.length, prefix, 0, prefix.length);
    }
}
