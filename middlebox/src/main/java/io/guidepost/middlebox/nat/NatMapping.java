package io.guidepost.middlebox.nat;

/** A copy of a mapping of {@link NatTable}, which does not change when the mapping ends; a flyweight. One thread's. */
final class NatMapping {
    private long holder;
    private long path;

    void set(long newHolder, long newPath) {
        holder = newHolder;
        path = newPath;
    }

    /** Returns protocol, inside address and port, as {@link NatTable#holder} writes them; 0 if the mapping is free. */
    long holder() {
        return holder;
    }

    /** Returns remote address and port, and outside port, as {@link NatTable} describes them. */
    long path() {
        return path;
    }

    int insideAddress() {
        return (int) (holder >>> 16);
    }

    int insidePort() {
        return (int) holder & 0xffff;
    }

    int outsidePort() {
        return (int) path & 0xffff;
    }
}
