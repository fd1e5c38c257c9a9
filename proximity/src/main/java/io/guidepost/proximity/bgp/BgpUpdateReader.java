package io.guidepost.proximity.bgp;

import io.guidepost.base.Address;
import io.guidepost.base.Counters;
import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of an UPDATE (RFC 4271 section 4.3, RFC 4760, RFC 7911):
 *
 * <pre>
 * +-------------+-----------+-------------+------------+---------------+
 * | length 16   | withdrawn | length 16   | attributes | announced     |
 * +-------------+-----------+-------------+------------+---------------+
 * attribute: | flags 8 | type 8 | length 8, or 16 with flag 0x10 | value |
 * prefix:    [ path id 32 ] | bits 8 | as many bytes as the bits need   |
 * </pre>
 *
 * <p>Faults are handled by RFC 7606: if the prefixes of a message are clear, a fault in the attributes turns
 * announcements into withdrawals (treat-as-withdraw), or only the attribute is discarded; otherwise the session ends.
 * The whole message is validated before any route is delivered. Not thread-safe.
 */
final class BgpUpdateReader {
    /** The outcome of a message. */
    enum Outcome {
        /** The message was valid. */
        TAKEN,
        /** A minor attribute had a fault, and was discarded. */
        ATTRIBUTE_DISCARDED,
        /** Announcements became withdrawals, for a fault in an important attribute. */
        TREATED_AS_WITHDRAWAL,
        /** Announcements became withdrawals, as the own AS number is in their path (RFC 4271 section 9.1.2). */
        LOOPED
    }

    /**
     * Negotiated options of a session.
     *
     * @param wideAs whether AS_PATH has 32-bit numbers (RFC 6793)
     * @param pathIdsIpv4 whether path ids precede IPv4 prefixes
     * @param pathIdsIpv6 whether path ids precede IPv6 prefixes
     * @param external whether the peer is of another AS: then an empty path is a fault
     * @param ownAs AS number of a router that reports received messages: such a message cannot begin with its own
     *     number, but FRR 8.4 prepends it over BMP; 0 = not checked
     * @param loopAs own AS number, which marks a path as a loop; 0 = not checked
     * @param loopsMax how often it may occur all the same
     */
    record Options(
            boolean wideAs,
            boolean pathIdsIpv4,
            boolean pathIdsIpv6,
            boolean external,
            long ownAs,
            long loopAs,
            int loopsMax) {
        Options(boolean wideAs, boolean pathIdsIpv4, boolean pathIdsIpv6, boolean external) {
            this(wideAs, pathIdsIpv4, pathIdsIpv6, external, 0, 0, 0);
        }

        boolean pathIds(AddressFamily family) {
            return family == AddressFamily.IPV4 ? pathIdsIpv4 : pathIdsIpv6;
        }
    }

    private static final int ORIGIN = 1;
    private static final int AS_PATH = 2;
    private static final int NEXT_HOP = 3;
    private static final int AGGREGATOR = 7;
    private static final int REACHED = 14;
    private static final int UNREACHED = 15;
    private static final int AS4_PATH = 17;
    private static final int AS4_AGGREGATOR = 18;

    private static final int FLAG_OPTIONAL = 0x80;
    private static final int FLAG_TRANSITIVE = 0x40;
    private static final int FLAG_LONG = 0x10;

    /** AS_TRANS, which stands for all numbers that do not fit in 16 bits. */
    static final int AS_TRANS = 23_456;

    private static final int TYPES = 256;

    private final Options options;
    private final BgpRouteSink sink;
    private final boolean[] seen = new boolean[TYPES];

    private @Nullable AsPath path;
    private @Nullable AsPath widePath;
    private boolean narrowAggregator;
    private @Nullable Address nextHop;
    private boolean origin;
    private Outcome outcome = Outcome.TAKEN;
    private String reason = "";
    private boolean inEntry;
    private @Nullable BgpCursor reached;
    private Address reachedHop = BgpRoute.NOWHERE;
    private @Nullable AddressFamily reachedFamily;
    private @Nullable BgpCursor unreached;
    private @Nullable AddressFamily unreachedFamily;

    BgpUpdateReader(Options options, BgpRouteSink sink) {
        this.options = options;
        this.sink = sink;
    }

    /** Returns what was wrong with the last message or entry that was not taken as it is; otherwise an empty text. */
    String reason() {
        return reason;
    }

    /** Reads and counts one message without its header; returns what was wrong with one that was not taken as it is. */
    Optional<String> read(byte[] bytes, int from, int to, Counters<BgpCount> counts) throws BgpProtocolException {
        counts.count(BgpCount.UPDATES);
        switch (read(bytes, from, to)) {
            case TAKEN -> {
                return Optional.empty();
            }
            case ATTRIBUTE_DISCARDED -> counts.count(BgpCount.ATTRIBUTES_DISCARDED);
            case TREATED_AS_WITHDRAWAL -> counts.count(BgpCount.TREATED_AS_WITHDRAWAL);
            case LOOPED -> counts.count(BgpCount.LOOPED);
        }
        return Optional.of(reason);
    }

    /**
     * Reads one message without its header.
     *
     * @throws BgpProtocolException if the session must end; then nothing was delivered
     */
    Outcome read(byte[] bytes, int from, int to) throws BgpProtocolException {
        BgpCursor in = new BgpCursor(bytes, from, to);
        clear();
        BgpCursor withdrawn;
        BgpCursor attributes;
        try {
            withdrawn = in.part(in.u16("length of the withdrawn prefixes"), "the withdrawn prefixes");
            attributes = in.part(in.u16("length of the attributes"), "the attributes");
        } catch (Malformed e) {
            throw fault(BgpNotification.MALFORMED_ATTRIBUTES, e);
        }
        boolean any = attributes.left() > 0;
        attributes(attributes);
        check(withdrawn, AddressFamily.IPV4);
        check(in, AddressFamily.IPV4);
        if (unreached != null && unreachedFamily != null) {
            check(unreached, unreachedFamily);
        }
        if (reached != null && reachedFamily != null) {
            check(reached, reachedFamily);
        }
        if (!any && withdrawn.left() == 0 && in.left() == 0) {
            sink.endOfRib(AddressFamily.IPV4);
            return outcome;
        }
        tell(withdrawn, in);
        return outcome;
    }

    /**
     * Reads the attributes of an entry of a table dump, in which MP_REACH_NLRI has the next hop alone (RFC 6396 section
     * 4.3.4); returns empty if they are invalid.
     */
    Optional<BgpRoute> readEntry(byte[] bytes, int from, int to) {
        clear();
        inEntry = true;
        try {
            attributes(new BgpCursor(bytes, from, to));
        } catch (BgpProtocolException e) {
            reason = e.reason();
            return Optional.empty();
        }
        boolean bad = outcome == Outcome.TREATED_AS_WITHDRAWAL || path == null;
        return bad ? Optional.empty() : Optional.of(route(nextHop != null ? nextHop : reachedHop));
    }

    private void clear() {
        java.util.Arrays.fill(seen, false);
        inEntry = false;
        path = null;
        widePath = null;
        narrowAggregator = false;
        nextHop = null;
        origin = false;
        outcome = Outcome.TAKEN;
        reason = "";
        reached = null;
        reachedFamily = null;
        reachedHop = BgpRoute.NOWHERE;
        unreached = null;
        unreachedFamily = null;
    }

    private static BgpProtocolException fault(int subcode, Malformed e) {
        return new BgpProtocolException(BgpNotification.of(BgpNotification.UPDATE, subcode), e.reason());
    }

    private void withdraw(String why) {
        outcome = Outcome.TREATED_AS_WITHDRAWAL;
        reason = why;
    }

    private void discard(String why) {
        if (outcome == Outcome.TAKEN) {
            outcome = Outcome.ATTRIBUTE_DISCARDED;
            reason = why;
        }
    }

    private void attributes(BgpCursor in) throws BgpProtocolException {
        while (in.left() > 0) {
            int start = in.at();
            int flags;
            int type;
            BgpCursor value;
            try {
                flags = in.u8("flags of an attribute");
                type = in.u8("type of an attribute");
                int length = (flags & FLAG_LONG) != 0
                        ? in.u16("length of attribute " + type)
                        : in.u8("length of attribute " + type);
                value = in.part(length, "attribute " + type);
            } catch (Malformed e) {
                // RFC 7606 section 4: the attributes end at their announced length; the prefixes are still clear.
                withdraw(e.reason());
                return;
            }
            if (seen[type]) {
                if (type == REACHED || type == UNREACHED) {
                    throw fault(BgpNotification.MALFORMED_ATTRIBUTES, new Malformed("attribute " + type + " comes twice", start));
                }
                discard("attribute " + type + " comes twice");
                continue;
            }
            seen[type] = true;
            attribute(flags, type, value, start);
        }
    }

    private void attribute(int flags, int type, BgpCursor value, int start) throws BgpProtocolException {
        if (type == REACHED || type == UNREACHED) {
            multiprotocol(type, value);
            return;
        }
        int wanted = flags(type);
        if (wanted < 0) {
            if ((flags & FLAG_OPTIONAL) == 0) {
                throw fault(BgpNotification.UNKNOWN_WELL_KNOWN, new Malformed("attribute " + type + " is not known", start));
            }
            return;
        }
        if ((flags & (FLAG_OPTIONAL | FLAG_TRANSITIVE)) != wanted) {
            withdraw("attribute " + type + " has flags " + Integer.toHexString(flags));
            return;
        }
        try {
            known(type, value);
        } catch (Malformed e) {
            if (type == AS4_PATH) {
                discard(e.reason());
            } else {
                withdraw(e.reason());
            }
        }
    }

    /** Returns the mandatory flags of an attribute; -1 if it is ignored. */
    private static int flags(int type) {
        return switch (type) {
            case ORIGIN, AS_PATH, NEXT_HOP, 5, 6 -> FLAG_TRANSITIVE;
            case AGGREGATOR, 8, 16, AS4_PATH, AS4_AGGREGATOR, 32 -> FLAG_OPTIONAL | FLAG_TRANSITIVE;
            case 4, 9, 10 -> FLAG_OPTIONAL;
            default -> -1;
        };
    }

    private void known(int type, BgpCursor value) throws Malformed {
        int length = value.left();
        switch (type) {
            case ORIGIN -> {
                sized(type, length == 1, length);
                origin = true;
                int kind = value.u8("ORIGIN");
                if (kind > 2) {
                    withdraw("ORIGIN is 0, 1 or 2, not " + kind);
                }
            }
            case AS_PATH -> path = AsPath.read(value, options.wideAs ? 4 : 2, options.ownAs, options.loopAs);
            case AS4_PATH -> widePath = options.wideAs ? null : AsPath.read(value, 4, options.ownAs, options.loopAs);
            case NEXT_HOP -> {
                sized(type, length == 4, length);
                nextHop = value.address(true, "NEXT_HOP");
            }
            case AGGREGATOR -> {
                if (length != (options.wideAs ? 8 : 6)) {
                    discard("AGGREGATOR has " + length + " bytes");
                } else {
                    narrowAggregator = !options.wideAs && value.u16("AGGREGATOR") != AS_TRANS;
                }
            }
            case 6 -> {
                if (length != 0) {
                    discard("ATOMIC_AGGREGATE has " + length + " bytes");
                }
            }
            case 5, 9, 10 -> {
                if (options.external) {
                    // Attributes that only internal peers may send are ignored (RFC 7606 sections 7.5, 7.9 and 7.10).
                    discard("attribute " + type + " comes from another AS");
                } else {
                    sized(type, type == 10 ? length > 0 && length % 4 == 0 : length == 4, length);
                }
            }
            case 4 -> sized(type, length == 4, length);
            case 8 -> sized(type, length > 0 && length % 4 == 0, length);
            case 16 -> sized(type, length > 0 && length % 8 == 0, length);
            case 32 -> sized(type, length > 0 && length % 12 == 0, length);
            default -> {
                if (length != 8) {
                    discard("AS4_AGGREGATOR has " + length + " bytes");
                }
            }
        }
    }

    private void sized(int type, boolean right, int length) {
        if (!right) {
            withdraw("attribute " + type + " has " + length + " bytes");
        }
    }

    private void multiprotocol(int type, BgpCursor value) throws BgpProtocolException {
        try {
            if (type == REACHED && inEntry && value.left() > 0 && value.copy().u8("") != 0) {
                hop(value, value.u8("length of the next hop"));
                return;
            }
            int afi = value.u16("address family");
            int safi = value.u8("subsequent address family");
            Optional<AddressFamily> family = AddressFamily.of(afi, safi);
            if (type == UNREACHED) {
                unreachedFamily = family.orElse(null);
                unreached = value;
                return;
            }
            hop(value, value.u8("length of the next hop"));
            value.skip(1, "reserved byte");
            reachedFamily = family.orElse(null);
            reached = value;
        } catch (Malformed e) {
            throw fault(BgpNotification.BAD_OPTIONAL_ATTRIBUTE, e);
        }
    }

    private void hop(BgpCursor value, int length) throws Malformed {
        BgpCursor hop = value.part(length, "next hop");
        // A next hop of IPv6 may have a link-local address after it; one of IPv4 is four bytes.
        reachedHop = length == 16 || length == 32
                ? hop.address(false, "next hop")
                : length == 4 ? hop.address(true, "next hop") : BgpRoute.NOWHERE;
    }

    private void check(BgpCursor given, AddressFamily family) throws BgpProtocolException {
        BgpCursor in = given.copy();
        boolean ids = options.pathIds(family);
        try {
            while (in.left() > 0) {
                if (ids) {
                    in.skip(4, "path id");
                }
                int bits = in.u8("length of a prefix");
                if (bits > family.bits) {
                    throw new Malformed("a prefix of " + family + " has " + bits + " bits", in.at() - 1);
                }
                in.skip((bits + 7) / 8, "a prefix");
            }
        } catch (Malformed e) {
            throw fault(BgpNotification.BAD_PREFIX, e);
        }
    }

    private void tell(BgpCursor withdrawn, BgpCursor announced) throws BgpProtocolException {
        boolean announces = announced.left() > 0 || reached != null;
        if (announces && outcome != Outcome.TREATED_AS_WITHDRAWAL) {
            if (!origin || path == null || announced.left() > 0 && nextHop == null) {
                withdraw("ORIGIN, AS_PATH or NEXT_HOP is missing");
            } else if (options.external && path.distance() == 0) {
                withdraw("an external peer sends an empty AS_PATH");
            }
        }
        if (announces && outcome != Outcome.TREATED_AS_WITHDRAWAL && wholePath().loops() > options.loopsMax) {
            outcome = Outcome.LOOPED;
            reason = "AS " + options.loopAs + ", which is this side's, occurs in a path";
        }
        boolean bad = outcome == Outcome.TREATED_AS_WITHDRAWAL || outcome == Outcome.LOOPED;
        prefixes(withdrawn, AddressFamily.IPV4, null);
        if (unreached != null && unreachedFamily != null) {
            if (unreached.left() == 0 && !announces && withdrawn.left() == 0) {
                sink.endOfRib(unreachedFamily);
            }
            prefixes(unreached, unreachedFamily, null);
        }
        if (reached != null && reachedFamily != null) {
            prefixes(reached, reachedFamily, bad ? null : route(reachedHop));
        }
        if (announced.left() > 0) {
            prefixes(announced, AddressFamily.IPV4, bad || nextHop == null ? null : route(nextHop));
        }
    }

    private BgpRoute route(Address hop) {
        AsPath known = wholePath();
        return new BgpRoute(known.origin(), known.distance(), known.aggregated(), hop);
    }

    private AsPath wholePath() {
        AsPath all = path == null ? AsPath.EMPTY : path;
        // An aggregator that does not know 32-bit numbers has made AS4_PATH worthless (RFC 6793 section 4.2.3).
        return widePath == null || narrowAggregator && seen[AS4_AGGREGATOR] ? all : all.with(widePath);
    }

    private void prefixes(BgpCursor given, AddressFamily family, @Nullable BgpRoute route) throws BgpProtocolException {
        BgpCursor in = given.copy();
        boolean ids = options.pathIds(family);
        try {
            while (in.left() > 0) {
                int pathId = ids ? in.i32("path id") : 0;
                Prefix prefix = prefix(in, family);
                if (family == AddressFamily.IPV6 && prefix.isIpv4()) {
                    // Mapped addresses mean IPv4 here; on the wire they are invalid.
                    discard("a prefix of mapped addresses");
                } else if (route == null) {
                    sink.withdrawn(prefix, pathId);
                } else {
                    sink.announced(prefix, pathId, route);
                }
            }
        } catch (Malformed e) {
            throw fault(BgpNotification.BAD_PREFIX, e);
        }
    }

    /** Reads one prefix; bits after its length are ignored. */
    static Prefix prefix(BgpCursor in, AddressFamily family) throws Malformed {
        int bits = in.u8("length of a prefix");
        if (bits > family.bits) {
            throw new Malformed("a prefix of " + family + " has " + bits + " bits", in.at() - 1);
        }
        long high = 0;
        long low = 0;
        int bytes = (bits + 7) / 8;
        for (int i = 0; i < bytes; i++) {
            long each = in.u8("a prefix");
            if (i < 8) {
                high |= each << 56 - 8 * i;
            } else {
                low |= each << 120 - 8 * i;
            }
        }
        return family == AddressFamily.IPV4 ? Prefix.ofIpv4((int) (high >>> 32), bits) : new Prefix(high, low, bits);
    }
}
