package io.guidepost.gnrs.placement;

/**
 * The mapping from a hashed address to an AS, and so to a server. Immutable; the two placement modes are its two rows.
 */
sealed interface AsResolver permits LongestPrefixResolver, PatriciaResolver {
    /** No server: the AS has no binding. */
    int UNBOUND = -1;

    /** Returns the number of the server for an address, or {@link #UNBOUND}; allocates nothing. */
    int server(int address, GuidHashes hashes);

    /** Returns the replica for an address, with the steps that led to it. */
    Replica explain(int number, int address, GuidHashes hashes, ServerIndex servers);
}
