package io.guidepost.scaffold.stream;

/**
 * The last bytes of one direction of a stream, by their positions: what was written and may have to be sent again, or what has come
 * and is not read yet. It grows to a window; then the oldest bytes make room. Not thread-safe.
 */
final class StreamBytes {
    private long start;
    private byte[] ring = new byte[StreamLimits.WINDOW_BYTES_LEAST];
    private long end;

    /** Creates one whose first byte has a position. */
    StreamBytes(long start) {
        this.start = start;
        this.end = start;
    }

    /** Returns the position of the oldest byte that is there. */
    long first() {
        return Math.max(start, end - ring.length);
    }

    /** Returns the position behind the last byte. */
    long end() {
        return end;
    }

    /**
     * Adds bytes.
     *
     * @param keep position of the oldest byte that is to stay, as far as the window goes
     */
    void put(long keep, byte[] from, int at, int count) {
        long wanted = Math.min(StreamLimits.WINDOW_BYTES, end + count - keep);
        if (wanted > ring.length) {
            grow((int) Math.max(wanted, Math.min(2L * ring.length, StreamLimits.WINDOW_BYTES)));
        }
        for (int done = 0; done < count; ) {
            int place = (int) (end % ring.length);
            int some = Math.min(count - done, ring.length - place);
            System.arraycopy(from, at + done, ring, place, some);
            done += some;
            end += some;
        }
    }

    private void grow(int length) {
        // What is overwritten now was not kept: the larger room does not bring it back.
        start = first();
        byte[] old = new byte[(int) (end - start)];
        get(start, old, 0, old.length);
        ring = new byte[length];
        end = start;
        put(end, old, 0, old.length);
    }

    /** Forgets all bytes, and frees their room. */
    void release() {
        start = end;
        ring = new byte[1];
    }

    /** Copies bytes that are there. */
    void get(long position, byte[] to, int at, int count) {
        for (int done = 0; done < count; ) {
            int place = (int) ((position + done) % ring.length);
            int some = Math.min(count - done, ring.length - place);
            System.arraycopy(ring, place, to, at + done, some);
            done += some;
        }
    }
}
