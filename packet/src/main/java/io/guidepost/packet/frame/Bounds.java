package io.guidepost.packet.frame;

/** Checks accesses to the bytes of frames. */
final class Bounds {
    private Bounds() {}

    /**
     * Returns the offset.
     *
     * @throws IndexOutOfBoundsException if the bytes there are not all among the first {@code length}
     */
    static int inside(int offset, int size, int length) {
        if (offset < 0 || offset > length - size) {
            throw outside(offset, size, length);
        }
        return offset;
    }

    private static IndexOutOfBoundsException outside(int offset, int size, int length) {
        return new IndexOutOfBoundsException(size + " bytes at " + offset + " of a frame or header with " + length + " bytes");
    }
}
