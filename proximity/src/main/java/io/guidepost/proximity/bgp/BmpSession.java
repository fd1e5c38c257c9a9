package io.guidepost.proximity.bgp;

import io.guidepost.base.Address;
import io.guidepost.base.Counters;
import io.guidepost.base.Malformed;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A BMP session (RFC 7854) with one router, which reports its BGP sessions: bytes in, routes out. Only the router
 * sends. Not thread-safe.
 *
 * <pre>
 * | version 8 = 3 | length 32 | type 8 |
 * peer: | type 8 | flags 8: V L A O | distinguisher 64 | address 128 | AS 32 | identifier 32 | time 64 |
 * </pre>
 *
 * <p>The router is the exit for routes of its external peers. Routes of its internal peers leave at their next hop.
 * Pre-policy views are taken until the first post-policy route comes; from then on only post-policy views, as they are
 * what the router may use. Adj-RIB-Out (RFC 8671), Loc-RIB (RFC 9069) and VRF views are ignored.
 */
public final class BmpSession {
    private static final int VERSION = 3;
    private static final int HEADER_BYTES = 6;
    private static final int BGP_HEADER_BYTES = 19;

    private static final int ROUTES = 0;
    private static final int STATISTICS = 1;
    private static final int PEER_DOWN = 2;
    private static final int PEER_UP = 3;
    private static final int INITIATION = 4;
    private static final int TERMINATION = 5;

    private static final int FLAG_IPV6 = 0x80;
    private static final int FLAG_AFTER_POLICY = 0x40;
    private static final int FLAG_NARROW_AS = 0x20;
    private static final int FLAG_OUT = 0x10;

    private static final int DESCRIPTION = 1;
    private static final int NAME = 2;
    private static final int TEXT_BYTES_MAX = 255;

    /** A peer of the router in one of its sessions. */
    private record Watched(
            RibPeer peer, boolean external, long ownAs, boolean pathsIpv4, boolean pathsIpv6, boolean afterPolicy) {
        Watched onlyAfterPolicy() {
            return new Watched(peer, external, ownAs, pathsIpv4, pathsIpv6, true);
        }
    }

    private record Header(int type, int flags, long distinguisher, Address address, long as) {
        boolean isTaken() {
            return type == 0 && distinguisher == 0 && (flags & FLAG_OUT) == 0;
        }
    }

    private final Rib rib;
    private final String label;
    private final Function<String, Optional<RouteExit>> exits;
    private final Map<Address, Watched> watched = new HashMap<>();
    private final Counters<BgpCount> counts = new Counters<>(BgpCount.class);
    private byte[] in = new byte[1 << 16];
    private int filled;
    private String name = "";
    private String description = "";
    private String reason = "";
    private boolean over;

    /**
     * Starts a session.
     *
     * @param label prefix of the peers' names in the table, before the router's name; stable over reconnects, such as its address
     * @param exits maps the router's name to its exit, at each peer that it tells of; empty = its routes are not wanted. The
     *     name is empty if the router sends none
     */
    public BmpSession(Rib rib, String label, Function<String, Optional<RouteExit>> exits) {
        this.rib = rib;
        this.label = label;
        this.exits = exits;
    }

    /** Returns whether the session has ended: the router said so, or broke the protocol. */
    public boolean isOver() {
        return over;
    }

    /** Returns the router's name; empty before it sends it. */
    public String name() {
        return name;
    }

    /** Returns the router's description; empty before it sends it. */
    public String description() {
        return description;
    }

    /** Returns why the session ended, or what was wrong with the last skipped message; or an empty text. */
    public String reason() {
        return reason;
    }

    /** Returns the counters. */
    public Counters<BgpCount> counts() {
        return counts;
    }

    /** Returns its peers with established sessions. */
    public Collection<RibPeer> peers() {
        return watched.values().stream().map(each -> each.peer).toList();
    }

    /** Handles the loss of the connection: the routes of its peers stay for a grace period. */
    public void lost(long nowNanos, long graceNanos) {
        watched.values().forEach(each -> each.peer.lost(nowNanos, graceNanos));
        watched.clear();
        over = true;
    }

    /** Takes bytes from the connection, whole messages or parts. */
    public void receive(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && !over) {
            if (filled == in.length) {
                in = Arrays.copyOf(in, Math.min(2 * in.length, BgpLimits.BMP_MESSAGE_BYTES_MAX + HEADER_BYTES));
            }
            int count = Math.min(to - at, in.length - filled);
            System.arraycopy(bytes, at, in, filled, count);
            filled += count;
            at += count;
            messages();
        }
    }

    private void messages() {
        int at = 0;
        while (!over && filled - at >= HEADER_BYTES) {
            int version = in[at];
            long length = length(at);
            if (version != VERSION || length < HEADER_BYTES || length > BgpLimits.BMP_MESSAGE_BYTES_MAX) {
                over = true;
                reason = "the router sends a message of version " + version + " and " + length + " bytes: this port takes "
                        + "BMP of version 3";
                return;
            }
            if (filled - at < length) {
                break;
            }
            counts.count(BgpCount.MESSAGES);
            try {
                message(in[at + HEADER_BYTES - 1], new BgpCursor(in, at + HEADER_BYTES, at + (int) length));
            } catch (Malformed e) {
                // Messages are independent: the next one begins at the end that this one announced.
                refuse(e.reason());
            }
            at += (int) length;
        }
        System.arraycopy(in, at, in, 0, filled - at);
        filled -= at;
    }

    private long length(int at) {
        return (in[at + 1] & 0xffL) << 24 | (in[at + 2] & 0xff) << 16 | (in[at + 3] & 0xff) << 8 | in[at + 4] & 0xff;
    }

    private void refuse(String why) {
        counts.count(BgpCount.REFUSED);
        reason = why;
    }

    private void message(int type, BgpCursor body) throws Malformed {
        switch (type) {
            case ROUTES -> routes(header(body), body);
            case PEER_UP -> up(header(body), body);
            case PEER_DOWN -> down(header(body));
            case INITIATION -> texts(body);
            case TERMINATION -> {
                over = true;
                reason = "the router ended it";
            }
            case STATISTICS -> header(body);
            default -> {}
        }
    }

    private static Header header(BgpCursor in) throws Malformed {
        int type = in.u8("type of a peer");
        int flags = in.u8("flags of a peer");
        long distinguisher = in.i64("distinguisher of a peer");
        boolean ipv4 = (flags & FLAG_IPV6) == 0;
        if (ipv4) {
            in.skip(12, "address of a peer");
        }
        Address address = in.address(ipv4, "address of a peer");
        long as = in.u32("AS of a peer");
        in.skip(12, "identifier and time");
        return new Header(type, flags, distinguisher, address, as);
    }

    private void texts(BgpCursor in) throws Malformed {
        while (in.left() > 0) {
            int type = in.u16("type of a text");
            BgpCursor value = in.part(in.u16("length of a text"), "a text");
            String text = new String(
                    value.bytes, value.at(), Math.min(value.left(), TEXT_BYTES_MAX), StandardCharsets.UTF_8);
            if (type == NAME) {
                name = text;
            } else if (type == DESCRIPTION) {
                description = text;
            }
        }
    }

    private void up(Header header, BgpCursor in) throws Malformed {
        if (!header.isTaken()) {
            refuse("an ignored type of peer");
            return;
        }
        in.skip(20, "addresses and ports");
        BgpOpen sent = open(in);
        BgpOpen received = open(in);
        boolean external = sent.as() != header.as;
        watch(header, external).ifPresent(peer -> {
            watched.put(header.address, new Watched(
                    peer,
                    external,
                    external ? sent.as() : 0,
                    several(sent, received, AddressFamily.IPV4),
                    several(sent, received, AddressFamily.IPV6),
                    false));
            peer.established();
        });
    }

    private static boolean several(BgpOpen sent, BgpOpen received, AddressFamily family) {
        return sent.capabilities().takesPaths().contains(family)
                && received.capabilities().sendsPaths().contains(family);
    }

    private static BgpOpen open(BgpCursor in) throws Malformed {
        in.skip(16, "marker");
        int length = in.u16("length of OPEN");
        in.skip(1, "type of OPEN");
        BgpCursor body = in.part(Math.max(0, length - BGP_HEADER_BYTES), "OPEN");
        try {
            return BgpOpen.read(body.bytes, body.at(), body.end);
        } catch (BgpProtocolException e) {
            throw new Malformed(e.reason(), body.at());
        }
    }

    private Optional<RibPeer> watch(Header header, boolean external) {
        if (watched.size() >= BgpLimits.BMP_PEERS_MAX && !watched.containsKey(header.address)) {
            refuse("the router has more than " + BgpLimits.BMP_PEERS_MAX + " peers");
            return Optional.empty();
        }
        Optional<RouteExit> exit = exits.apply(name);
        if (exit.isEmpty()) {
            refuse("no setting maps the name '" + name + "' is");
            return Optional.empty();
        }
        RouteExitRule rule = external ? new RouteExitRule.Fixed(exit.get()) : new RouteExitRule.NextHop(exit.get().nic());
        return rib.peer("bmp " + label + (name.isEmpty() ? "" : " " + name) + " " + header.address, rule);
    }

    private void down(Header header) {
        Watched known = header.isTaken() ? watched.remove(header.address) : null;
        if (known != null) {
            known.peer.lost(0, 0);
        }
    }

    private void routes(Header header, BgpCursor in) throws Malformed {
        Watched known = header.isTaken() ? watched.get(header.address) : null;
        if (known == null) {
            refuse("routes of an unknown peer");
            return;
        }
        boolean after = (header.flags & FLAG_AFTER_POLICY) != 0;
        if (after && !known.afterPolicy) {
            watched.put(header.address, known.onlyAfterPolicy());
            known.peer.lost(0, 0);
            known.peer.established();
        }
        if (!after && known.afterPolicy) {
            return;
        }
        in.skip(16, "marker");
        int length = in.u16("length of UPDATE");
        if (in.u8("type of a message") != 2) {
            refuse("a message among routes that is no UPDATE");
            return;
        }
        BgpCursor body = in.part(Math.max(0, length - BGP_HEADER_BYTES), "UPDATE");
        BgpUpdateReader reader = new BgpUpdateReader(
                new BgpUpdateReader.Options(
                        (header.flags & FLAG_NARROW_AS) == 0, known.pathsIpv4, known.pathsIpv6, known.external,
                        known.ownAs, 0, 0),
                known.peer);
        try {
            reader.read(body.bytes, body.at(), body.end, counts).ifPresent(why -> reason = why);
        } catch (BgpProtocolException e) {
            refuse(e.reason());
        }
    }
}
