package io.guidepost.gnrs.trace;

/** The three formats of GNRS traces in use, one row each. In all of them {@code #} starts a comment. */
enum TraceFormat {
    /**
     * Of the trace client: {@code seq I guid place,ttl,weight[,place,ttl,weight...]}, {@code seq U} with the same
     * columns, {@code seq Q guid}. A GUID is a word as in {@code Guid.ofAscii}, a TTL is in milliseconds, a weight is
     * ignored.
     */
    CLIENT,
    /**
     * Request lists: {@code time INSERT guid places}, {@code time UPDATE guid places},
     * {@code time LOOKUP guid places guid places}, or I, U, and L or Q. GUIDs are numbers of up to 40 hexadecimal
     * digits, places are separated by commas; the client of a look-up stands first, then the name.
     */
    REQUESTS,
    /**
     * Event lists: {@code time I|U|Q guid as guid|N extra|N}. A GUID is a word as in {@code Guid.ofAscii}. The place is
     * the number of the AS; the name of a look-up is the second GUID.
     */
    EVENTS
}
