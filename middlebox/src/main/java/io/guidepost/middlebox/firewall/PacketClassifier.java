package io.guidepost.middlebox.firewall;

/** Finds the first rule that fits. Immutable; any number of threads may ask, each with keys of its own. */
sealed interface PacketClassifier permits LinearClassifier, RfcClassifier, BitVectorClassifier, HyperSplitClassifier {
    /**
     * Writes into {@link PacketKeys#found} the number of the first rule that fits each IP packet, or the number of rules
     * if none does. What is no IP packet is left as it is.
     */
    void match(PacketKeys keys);

    /** Returns whether it looks at the rows of IPv4 packets, beside the columns. */
    boolean wantsRows();

    /** Returns the bytes that it takes, roughly. */
    long bytes();
}
