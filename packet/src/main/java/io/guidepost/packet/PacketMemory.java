package io.guidepost.packet;

/**
 * Where the frames of bursts live: fixed pieces, taken when a frame comes in or is made, given back when nobody has it
 * any more. One object is one thread's view of a pool: it keeps a few pieces at hand, so that most takes and frees touch
 * nothing that threads share. Several views, on several threads, may have one pool.
 *
 * <p>Nobody but a burst and a queue takes and frees. A frame is in one burst, or in one queue, or free: it moves by
 * {@link Burst#take}, {@link TxQueue#send} and {@link RxQueue#receive}, and what a burst still has when it is received
 * into again goes back. So a handler that does nothing with a frame drops it, and none can leak.
 *
 * <pre>
 *  a piece:  | headroom |  room: data of a fresh frame begins here ...        |
 *            ^ handle?   ^ address(handle)                                    ^ address(handle) + roomBytes()
 * </pre>
 */
public interface PacketMemory {
    /** No handle. */
    long NONE = 0;

    /** Takes a piece: its handle, which is the back end's own number for it, or {@link #NONE} if all are in use. */
    long take();

    /** Returns where the data of a fresh frame in a piece begin. */
    long address(long handle);

    /** Returns the bytes that a piece has from there on. */
    int roomBytes();

    /** Returns the bytes before that place which headers may be pushed into. */
    int headroomBytes();

    /** Makes a piece that had a frame as one that was just {@linkplain #take taken}. */
    default void renew(long handle) {}

    /** Gives a piece back. */
    void free(long handle);

    /** Gives back all pieces that a burst has; those that were taken out of it have the handle {@link #NONE}. */
    default void free(Burst burst) {
        for (int i = 0; i < burst.count(); i++) {
            long handle = burst.handle(i);
            if (handle != NONE) {
                free(handle);
            }
        }
    }

    /** Returns the pool: frames go without a copy between views of the same. */
    Object pool();

    /** Returns whether another view is one of the same pool. */
    @SuppressWarnings("ReferenceEquality") // It is the same pool, or another one.
    default boolean hasPoolOf(PacketMemory other) {
        return pool() == other.pool();
    }

    /** Returns a view of the same pool for another thread. */
    PacketMemory another();

    /**
     * Gives back what the view keeps at hand, for when its queue is closed: by the thread that had it, or by another
     * after that one has ended. The view can be used again.
     */
    default void release() {}
}
