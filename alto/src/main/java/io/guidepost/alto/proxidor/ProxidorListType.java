package io.guidepost.alto.proxidor;

/** List types, one row each. All lists of a request have the same type. */
public enum ProxidorListType {
    /** IPv4 addresses. */
    IPV4(1, false, false),
    /** IPv6 addresses; IPv4 ones may be among them in mapped form. */
    IPV6(2, true, false),
    /** IPv4 prefixes, each ranked by its first address. */
    IPV4_PREFIX(3, false, true),
    /** IPv6 prefixes; IPv4 ones may be among them in mapped form. */
    IPV6_PREFIX(4, true, true);

    private static final ProxidorListType[] BY_CODE = {null, IPV4, IPV6, IPV4_PREFIX, IPV6_PREFIX};

    private final int code;
    private final boolean ipv6;
    private final boolean prefixes;
    private final int bytes;

    ProxidorListType(int code, boolean ipv6, boolean prefixes) {
        this.code = code;
        this.ipv6 = ipv6;
        this.prefixes = prefixes;
        this.bytes = (ipv6 ? 16 : 4) + (prefixes ? 1 : 0);
    }

    /** Returns the code on the wire. */
    public int code() {
        return code;
    }

    /** Returns whether its addresses have 128 bits. */
    public boolean isIpv6() {
        return ipv6;
    }

    /** Returns whether a prefix length follows each address. */
    public boolean isOfPrefixes() {
        return prefixes;
    }

    /** Returns the bytes of one candidate: 4, 16, 5 or 17. */
    public int bytes() {
        return bytes;
    }

    /** Returns the most candidates of one request: 363, 90, 290 or 85. */
    public int most() {
        return ProxidorLimits.LIST_BYTES_MAX / bytes;
    }

    /** Returns whether a code is that of a type. */
    static boolean isKnown(int code) {
        return code > 0 && code < BY_CODE.length;
    }

    /** Returns the type of a {@linkplain #isKnown known} code. */
    static ProxidorListType of(int code) {
        return BY_CODE[code];
    }
}
