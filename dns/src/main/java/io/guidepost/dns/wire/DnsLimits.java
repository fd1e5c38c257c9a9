package io.guidepost.dns.wire;

import io.guidepost.base.CommonLimits;

/** Bounds of the DNS door, each with its reason. */
public final class DnsLimits {
    /** Bytes of a message over TCP: its length has 16 bits (RFC 1035 section 4.2.2). */
    public static final int STREAM_BYTES_MAX = 65_535;

    /** Names that are read from the store at a time. */
    public static final int PART_MAX = 4096;

    /** Rows of 12 bytes, half of them used, for names above others; where there are more, each absent name may be one. */
    public static final int NON_TERMINAL_ROWS_MAX = 1 << 23;

    /** Names that other servers are asked for in turn, to answer one request: each link may lead to one. */
    public static final int REMOTE_NAMES_MAX = 16;

    /** Bytes of a datagram to a client without EDNS (RFC 1035 section 4.2.1). */
    public static final int PLAIN_BYTES_MAX = 512;

    /** Bytes of a datagram at most: one of IPv6 with 1,280 bytes passes everywhere (RFC 9715). */
    public static final int UDP_BYTES_MAX = 1232;

    /** How many times as long as its question an answer to an unproven address is at most: no use for reflection. */
    public static final int AMPLIFICATION_MAX = 3;

    /** Bytes of a label, and of a name with all lengths (RFC 1035 section 2.3.4). */
    public static final int LABEL_BYTES_MAX = 63;

    public static final int NAME_BYTES_MAX = 255;

    /** Labels of a name: each has two bytes at least. */
    public static final int LABELS_MAX = NAME_BYTES_MAX / 2;

    /** Bytes of the name of the zone: the longest label of a place has 36, and names need some as well. */
    public static final int ZONE_BYTES_MAX = 128;

    /** Places of one answer: those of a record, and as many more by links. */
    public static final int PLACES_MAX = CommonLimits.LOCATORS_MAX;

    /** Names on the way from a name to its places: longer ways are mistakes or attacks. */
    public static final int ALIASES_MAX = 64;

    /** Seconds that a resolver may remember that there is no such name: it may be bound in the next moment (RFC 2308). */
    public static final int NEGATIVE_TTL_SECONDS = 10;

    /** Seconds that the servers of the zone, and what answers ANY, may be remembered: they change with the configuration. */
    public static final int ZONE_TTL_SECONDS = 3600;

    /** Seconds between looks of a secondary that was not notified, between tries, and until it gives the zone up. */
    public static final int REFRESH_SECONDS = 300;

    public static final int RETRY_SECONDS = 60;
    public static final int EXPIRE_SECONDS = 1_209_600;

    /** Greatest TTL (RFC 2181 section 8). */
    public static final int TTL_SECONDS_MAX = Integer.MAX_VALUE;

    /** Bytes of the server's name for NSID: a host name's. */
    public static final int NSID_BYTES_MAX = 64;

    /** Bytes of one string of a TXT record. */
    public static final int STRING_BYTES_MAX = 255;

    /** Requests of one worker that may wait for the disk; further ones are answered SERVFAIL. */
    public static final int DEFERRED_MAX = 256;

    /** Names whose keys are read ahead in a burst; more than a burst has. */
    public static final int PREFETCH_MAX = 128;

    /** Seconds for which a cookie proves an address, and by which a clock may be wrong (RFC 9018 section 4.3). */
    public static final int COOKIE_SECONDS_MAX = 3600;

    public static final int COOKIE_SECONDS_EARLY = 300;

    private DnsLimits() {}
}
