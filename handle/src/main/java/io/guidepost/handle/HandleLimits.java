package io.guidepost.handle;

/**
 * The bounds of the Handle door, each with its reason. The bounds that hold in every room stand in
 * {@link io.guidepost.base.CommonLimits}.
 */
public final class HandleLimits {
    /** Bytes of a handle: the longest that existing servers accept. */
    public static final int HANDLE_BYTES_MAX = io.guidepost.base.CommonLimits.NAME_BYTES_MAX;

    /** Bytes of a message behind its envelope: what existing servers and clients take. */
    public static final int MESSAGE_BYTES_MAX = 262_144;

    /** Bytes of one length-prefixed field: existing clients refuse longer ones in any message. */
    public static final int ARRAY_BYTES_MAX = 1 << 20;

    /** Values of one record: more do not fit a message in any useful form. */
    public static final int VALUES_MAX = 2048;

    /** Bytes of the name of a type: a type may be a handle, and the longest of those fits. */
    public static final int TYPE_BYTES_MAX = HANDLE_BYTES_MAX;

    /** Indexes or types in one request: as many as a record may have values. */
    public static final int WANTED_MAX = VALUES_MAX;

    /** References of one value, and members of one HS_VLIST: each costs a look-up when it is expanded. */
    public static final int REFERENCES_MAX = 4096;

    /** Handles in one message of a list: existing servers send 50; a message of the shortest handles holds no more. */
    public static final int LISTED_MAX = 65_536;

    /** Servers of one site: the hash selects one from the list for each request. */
    public static final int SERVERS_MAX = 1024;

    /** Interfaces of one server: roles times transports, with room for several addresses. */
    public static final int INTERFACES_MAX = 64;

    /** Sites of one map, and prefixes of one site there: each is kept in memory, some KiB. */
    public static final int SITES_MAX = 4096;

    /** Attributes of one site. */
    public static final int ATTRIBUTES_MAX = 1024;

    /** Bytes of one integer of a key: 16,384 bits, above which one RSA or DH operation takes seconds. */
    public static final int KEY_INTEGER_BYTES_MAX = 2048 + 1;

    /** Bytes of a key record: eight integers of the longest kind. */
    public static final int KEY_RECORD_BYTES_MAX = 8 * (4 + KEY_INTEGER_BYTES_MAX) + 64;

    /** Sessions over HTTP of each kind, proven and not: some 200 bytes each, so that a flood costs memory of tens of MB. */
    public static final int WEB_SESSIONS_MAX = 65_536;

    /** Handles on one page of a search: each costs a look-up of its record. */
    public static final int SEARCH_PAGE_MAX = 1000;

    /** Changes of one bulk request in flight at a time: they share the store's group commits. */
    public static final int BULK_UNDER_WAY_MAX = 1024;

    /** Characters of the name of a JSONP callback. */
    public static final int CALLBACK_MAX = 128;

    /** Responses in the response cache: with {@link #READY_BYTES_MAX} a bound of its memory, 128 MiB. */
    public static final int READY_MAX = 65_536;

    /** Bytes of a response that is cached. */
    public static final int READY_BYTES_MAX = 2048;

    static {
        assert READY_MAX * (long) READY_BYTES_MAX <= 128L << 20;
        assert io.guidepost.web.JsonLimits.JSON_BYTES_MAX >= 2 * ARRAY_BYTES_MAX;
        assert ARRAY_BYTES_MAX >= MESSAGE_BYTES_MAX;
        assert KEY_RECORD_BYTES_MAX <= ARRAY_BYTES_MAX;
        assert LISTED_MAX * 4 <= MESSAGE_BYTES_MAX;
    }

    /** Creations of one connection that are under way: a group of the store, from a client that does not wait for each. */
    public static final int CREATIONS_UNDER_WAY_MAX = 64;

    private HandleLimits() {}
}
