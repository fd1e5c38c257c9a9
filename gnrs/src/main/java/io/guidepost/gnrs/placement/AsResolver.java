package io.guidepost.gnrs.placement;

/** How the AS, and so the server, is found for a hashed address. Immutable; the two modes are its two rows. */
sealed interface AsResolver permits LongestPrefixResolver, PatriciaResolver {
    /** No server: the AS has no binding. */
    int UNBOUND = -1;

    /** The number of the server for an address, or {@link #UNBOUND}; allocates nothing. */
    int server(int address, GuidHashes hashes);

    /** The same in full. */
    Replica explain(int number, int address, GuidHashes hashes, ServerIndex servers);
}
