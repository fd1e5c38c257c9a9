package io.guidepost.middlebox.firewall;

/**
 * A packet classifier: finds the first matching rule. Immutable; any number of threads use it, each with keys of its
 * own.
 */
sealed interface PacketClassifier permits LinearClassifier, RfcClassifier, HyperSplitClassifier {
    /**
     * Writes the number of each IP packet's first matching rule into {@link PacketKeys#found}, or the number of rules
     * if none matches. Skips non-IP frames.
     */
    void match(PacketKeys keys);

    /** Returns whether it reads the rows of IPv4 packets, besides the columns. */
    boolean wantsRows();
}
