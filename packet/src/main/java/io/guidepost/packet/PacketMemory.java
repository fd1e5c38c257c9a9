package io.guidepost.packet;

/**
 * One thread's view of a pool of packet memory: fixed pieces that hold the frames of bursts. The view caches a few
 * pieces, so that most allocations touch no shared state. Several views, on several threads, may share a pool.
 *
 * <p>Only bursts and queues allocate and free. A frame is in one burst, in one queue, or free: it moves by {@link
 * Burst#take}, {@link TxQueue#send} and {@link RxQueue#receive}, and a burst frees its remaining frames when it is
 * received into again. So a handler that ignores a frame drops it, and none can leak.
 *
 * <pre>
 *  a piece:  | headroom |  room: data of a fresh frame begins here ...        |
 *            ^ handle?   ^ address(handle)                                    ^ address(handle) + roomBytes()
 * </pre>
 */
public interface PacketMemory {
    /** No piece. */
    long NONE = 0;

    /** Allocates a piece and returns its handle, the back end's own number for it; {@link #NONE} if all are in use. */
    long take();

    /** Returns the address of a new frame's data in a piece. */
    long address(long handle);

    /** Returns the bytes of a piece from that address on. */
    int roomBytes();

    /** Returns the headroom before that address, for pushed headers. */
    int headroomBytes();

    /** Resets a used piece as if it was just {@linkplain #take taken}. */
    default void renew(long handle) {}

    /** Frees a piece. */
    void free(long handle);

    /** Frees all pieces of a burst; those that were taken have the handle {@link #NONE}. */
    default void free(Burst burst) {
        for (int i = 0; i < burst.count(); i++) {
            long handle = burst.handle(i);
            if (handle != NONE) {
                free(handle);
            }
        }
    }

    /** Returns the pool: views of one pool exchange frames without a copy. */
    Object pool();

    /** Returns whether another view belongs to the same pool. */
    @SuppressWarnings("ReferenceEquality") // Pools are compared by identity.
    default boolean hasPoolOf(PacketMemory other) {
        return pool() == other.pool();
    }

    /**
     * Empties the view's cache when its queue is closed: by the owning thread, or by another after that has ended. The
     * view stays usable.
     */
    default void release() {}
}
