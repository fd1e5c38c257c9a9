package io.guidepost.packet.bpf;

/**
 * Flows whose packets get other addresses without the program that has decided on them: those of one direction are a row each. Belongs to
 * one thread.
 */
public interface FlowOffload {
    /** A row where there is no room for one. */
    int NO_ROW = -1;

    /** Takes no flow. */
    FlowOffload NONE = new FlowOffload() {
        @Override
        public int add(int protocol, Headers before, Headers after, int next, int acknowledgment) {
            return NO_ROW;
        }

        @Override
        public void remove(int row) {}

        @Override
        public long packets(int row) {
            return 0;
        }

        @Override
        public long bytes(int row) {
            return 0;
        }

        @Override
        public int next(int row) {
            return 0;
        }

        @Override
        public int acknowledgment(int row) {
            return 0;
        }
    };

    /**
     * What tells the packets of a flow, or what they get.
     *
     * @param sourceHigh high half of the source address, as in {@link io.guidepost.base.Addresses}
     * @param ports those of source (16 bits) and destination (16)
     * @param label flow label of IPv6, 16 bits; 0 of IPv4
     */
    record Headers(long sourceHigh, long sourceLow, long destinationHigh, long destinationLow, int ports, int label) {}

    /**
     * Has packets get other addresses from now on; segments with SYN, FIN or RST are left to the program.
     *
     * @param next highest sequence number known, behind its data, of TCP
     * @param acknowledgment highest acknowledgment number known, of TCP
     * @return the row; {@link #NO_ROW} if there are too many, or packets cannot be changed so
     */
    int add(int protocol, Headers before, Headers after, int next, int acknowledgment);

    /** Leaves the packets of a row to the program again. What it has counted can be read until the next row is added. */
    void remove(int row);

    /** Returns how many packets a row has changed: segments, where the kernel has them as one. */
    long packets(int row);

    /** Returns the bytes of these. */
    long bytes(int row);

    /** Returns the highest sequence number, behind its data, of TCP. */
    int next(int row);

    /** Returns the highest acknowledgment number, of TCP. */
    int acknowledgment(int row);
}
