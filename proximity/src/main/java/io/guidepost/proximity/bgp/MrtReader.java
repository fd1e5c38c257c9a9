package io.guidepost.proximity.bgp;

import io.guidepost.base.Address;
import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import io.guidepost.proximity.Decompression;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongConsumer;

/**
 * Reads MRT files of collectors such as RouteViews and RIPE RIS (RFC 6396, and RFC 8050 for ADD-PATH): tables of the
 * types TABLE_DUMP_V2 and TABLE_DUMP, and BGP4MP messages, replayed in order. It reads record by record, never the
 * whole file.
 *
 * <pre>
 * | time 32 | type 16 | subtype 16 | length 32 | [ microseconds 32, of type 17 ] | record |
 * index:   | collector 32 | length 16, name | count 16 | peers: flags 8, identifier 32, address 32/128, AS 16/32 |
 * table:   | number 32 | prefix | count 16 | ways: peer 16, time 32, [ path id 32 ], length 16, attributes |
 * of old:  | view 16 | number 16 | prefix 32/128, length 8 | status 8 | time 32 | peer 32/128, AS 16 | length 16, attributes |
 * message: | AS 16/32, own AS 16/32 | interface 16 | family 16 | address, own address | message of BGP |
 * </pre>
 */
public final class MrtReader {
    private static final int TABLE_DUMP = 12;
    private static final int TABLE_DUMP_V2 = 13;
    private static final int BGP4MP = 16;
    private static final int BGP4MP_ET = 17;

    private static final int PEER_INDEX = 1;
    private static final int IPV4_UNICAST = 2;
    private static final int IPV6_UNICAST = 4;
    private static final int IPV4_UNICAST_PATHS = 8;
    private static final int IPV6_UNICAST_PATHS = 10;

    // Subtypes of BGP4MP. Others are of messages that the collector itself sent, which tell nothing of its peers.
    private static final int STATE_CHANGE = 0;
    private static final int MESSAGE = 1;
    private static final int MESSAGE_AS4 = 4;
    private static final int STATE_CHANGE_AS4 = 5;
    private static final int MESSAGE_PATHS = 8;
    private static final int MESSAGE_AS4_PATHS = 9;

    private static final int HEADER_BYTES = 12;
    private static final int BGP_HEADER_BYTES = 19;
    private static final int ESTABLISHED = 6;

    /** Records between two reports of progress. */
    private static final int PROGRESS_RECORDS = 1 << 14;

    private final InputStream in;
    private final Function<MrtPeer, Optional<RibPeer>> wanted;
    private final Map<MrtPeer, Optional<RibPeer>> known = new HashMap<>();
    private final List<Optional<RibPeer>> index = new ArrayList<>();
    private final BgpUpdateReader entries =
            new BgpUpdateReader(new BgpUpdateReader.Options(true, false, false, false), new DiscardingSink());
    private final BgpUpdateReader oldEntries =
            new BgpUpdateReader(new BgpUpdateReader.Options(false, false, false, false), new DiscardingSink());
    private byte[] record = new byte[1 << 16];
    private long offset;
    private long records;
    private long routes;
    private long messages;
    private long others;
    private long bad;
    private String firstFault = "";

    private MrtReader(InputStream in, Function<MrtPeer, Optional<RibPeer>> wanted) {
        this.in = in;
        this.wanted = wanted;
    }

    /** Discards what the reader reports: the entries of a table are no messages, and their routes are returned. */
    private static final class DiscardingSink implements BgpRouteSink {
        @Override
        public void established() {}

        @Override
        public void announced(Prefix prefix, int pathId, BgpRoute route) {}

        @Override
        public void withdrawn(Prefix prefix, int pathId) {}

        @Override
        public void endOfRib(AddressFamily family) {}
    }

    /**
     * Reads a whole file, plain, gzip or bzip2.
     *
     * @param wanted returns the sink of a peer's routes, once per peer; empty = they are not wanted
     * @param progress receives the number of uncompressed bytes read so far
     * @throws Malformed if it is no MRT file, or ends within a record; what came before has been delivered
     */
    public static MrtSummary read(InputStream in, Function<MrtPeer, Optional<RibPeer>> wanted, LongConsumer progress)
            throws IOException, Malformed {
        return new MrtReader(Decompression.of(in), wanted).all(progress);
    }

    private MrtSummary all(LongConsumer progress) throws IOException, Malformed {
        byte[] header = new byte[HEADER_BYTES];
        while (true) {
            int got = in.readNBytes(header, 0, HEADER_BYTES);
            if (got == 0) {
                break;
            }
            if (got < HEADER_BYTES) {
                throw new Malformed("the file ends within the header of a record", offset);
            }
            BgpCursor fields = new BgpCursor(header, 4, HEADER_BYTES);
            int type = fields.u16("type");
            int subtype = fields.u16("subtype");
            long length = fields.u32("length");
            if (length > BgpLimits.MRT_RECORD_BYTES_MAX) {
                throw new Malformed("a record of type " + type + " has " + length + " bytes: this is no file of MRT, or a "
                        + "damaged one", offset);
            }
            take((int) length);
            record(type, subtype, (int) length);
            offset += HEADER_BYTES + length;
            if (++records % PROGRESS_RECORDS == 0) {
                progress.accept(offset);
            }
        }
        progress.accept(offset);
        return new MrtSummary(records, routes, messages, others, bad, firstFault);
    }

    /** Reads a record; a claimed length costs no memory until the bytes come. */
    private void take(int length) throws IOException, Malformed {
        int there = 0;
        while (there < length) {
            if (there == record.length) {
                record = Arrays.copyOf(record, Math.min(length, 2 * there));
            }
            int got = in.readNBytes(record, there, Math.min(length, record.length) - there);
            if (got == 0) {
                throw new Malformed("the file ends within a record of " + length + " bytes", offset);
            }
            there += got;
        }
    }

    private void record(int type, int subtype, int length) {
        BgpCursor body = new BgpCursor(record, 0, length);
        try {
            switch (type) {
                case TABLE_DUMP -> dumpedOfOld(subtype, body);
                case TABLE_DUMP_V2 -> dumped(subtype, body);
                case BGP4MP -> replay(subtype, body);
                case BGP4MP_ET -> {
                    body.skip(4, "microseconds");
                    replay(subtype, body);
                }
                default -> others++;
            }
        } catch (Malformed e) {
            bad(e.reason());
        } catch (BgpProtocolException e) {
            bad(e.reason());
        }
    }

    private void bad(String reason) {
        bad++;
        if (firstFault.isEmpty()) {
            firstFault = "record at byte " + offset + ": " + reason;
        }
    }

    private Optional<RibPeer> peer(MrtPeer peer) {
        return known.computeIfAbsent(peer, wanted);
    }

    private void dumped(int subtype, BgpCursor in) throws Malformed {
        switch (subtype) {
            case PEER_INDEX -> index(in);
            case IPV4_UNICAST -> table(in, AddressFamily.IPV4, false);
            case IPV6_UNICAST -> table(in, AddressFamily.IPV6, false);
            case IPV4_UNICAST_PATHS -> table(in, AddressFamily.IPV4, true);
            case IPV6_UNICAST_PATHS -> table(in, AddressFamily.IPV6, true);
            default -> others++;
        }
    }

    private void index(BgpCursor in) throws Malformed {
        index.clear();
        in.skip(4, "collector");
        in.skip(in.u16("length of the view's name"), "name of the view");
        int count = in.u16("count of peers");
        for (int i = 0; i < count; i++) {
            int flags = in.u8("flags of a peer");
            int identifier = in.i32("identifier of a peer");
            Address address = in.address((flags & 1) == 0, "address of a peer");
            long as = (flags & 2) == 0 ? in.u16("AS of a peer") : in.u32("AS of a peer");
            index.add(peer(new MrtPeer(address, as, identifier)));
        }
    }

    private void table(BgpCursor in, AddressFamily family, boolean paths) throws Malformed {
        in.skip(4, "number of a record");
        Prefix prefix = BgpUpdateReader.prefix(in, family);
        if (family == AddressFamily.IPV6 && prefix.isIpv4()) {
            throw new Malformed("a prefix of mapped addresses", in.at());
        }
        int count = in.u16("count of paths");
        for (int i = 0; i < count; i++) {
            int number = in.u16("peer of a path");
            in.skip(4, "time of a path");
            int pathId = paths ? in.i32("path id") : 0;
            BgpCursor attributes = in.part(in.u16("length of the attributes"), "the attributes");
            if (number >= index.size()) {
                throw new Malformed("a path of peer " + number + ", and the file names " + index.size(), in.at());
            }
            Optional<RibPeer> peer = index.get(number);
            if (peer.isPresent()) {
                entry(entries, attributes, peer.get(), prefix, pathId);
            }
        }
    }

    /** Reads a record of TABLE_DUMP: one path of one peer, with 16-bit AS numbers (RFC 6396 section 4.2). */
    private void dumpedOfOld(int subtype, BgpCursor in) throws Malformed {
        if (subtype != AddressFamily.IPV4.afi && subtype != AddressFamily.IPV6.afi) {
            others++;
            return;
        }
        boolean ipv4 = subtype == AddressFamily.IPV4.afi;
        in.skip(4, "view and number");
        Address base = in.address(ipv4, "a prefix");
        int bits = in.u8("length of a prefix");
        if (bits > (ipv4 ? 32 : 128) || !ipv4 && base.isIpv4()) {
            throw new Malformed("no prefix has the base " + base + " and " + bits + " bits here", in.at() - 1);
        }
        int length = ipv4 ? 96 + bits : bits;
        Prefix prefix = new Prefix(base.high(), base.low(), length);
        in.skip(5, "status and time");
        Address address = in.address(ipv4, "address of the peer");
        long as = in.u16("AS of the peer");
        BgpCursor attributes = in.part(in.u16("length of the attributes"), "the attributes");
        Optional<RibPeer> peer = peer(new MrtPeer(address, as, 0));
        if (peer.isPresent()) {
            entry(oldEntries, attributes, peer.get(), prefix, 0);
        }
    }

    private void entry(BgpUpdateReader reader, BgpCursor attributes, RibPeer peer, Prefix prefix, int pathId) {
        Optional<BgpRoute> route = reader.readEntry(attributes.bytes, attributes.at(), attributes.end);
        if (route.isPresent()) {
            peer.announced(prefix, pathId, route.get());
            routes++;
        } else {
            bad(reader.reason());
        }
    }

    private void replay(int subtype, BgpCursor in) throws Malformed, BgpProtocolException {
        boolean change = subtype == STATE_CHANGE || subtype == STATE_CHANGE_AS4;
        boolean paths = subtype == MESSAGE_PATHS || subtype == MESSAGE_AS4_PATHS;
        boolean wide = subtype == STATE_CHANGE_AS4 || subtype == MESSAGE_AS4 || subtype == MESSAGE_AS4_PATHS;
        if (!change && !paths && !wide && subtype != MESSAGE) {
            others++;
            return;
        }
        long as = wide ? in.u32("AS of the peer") : in.u16("AS of the peer");
        in.skip(wide ? 4 : 2, "own AS");
        in.skip(2, "interface");
        boolean ipv4 = in.u16("family of the addresses") == AddressFamily.IPV4.afi;
        Address address = in.address(ipv4, "address of the peer");
        in.skip(ipv4 ? 4 : 16, "own address");
        Optional<RibPeer> peer = peer(new MrtPeer(address, as, 0));
        if (peer.isEmpty()) {
            return;
        }
        if (change) {
            in.skip(2, "state before");
            if (in.u16("state") != ESTABLISHED) {
                peer.get().lost(0, 0);
            } else {
                peer.get().established();
            }
            return;
        }
        BgpCursor message = in.copy();
        message.skip(16, "marker");
        int length = message.u16("length of a message");
        if (message.u8("type of a message") != 2) {
            return;
        }
        if (length < BGP_HEADER_BYTES || length > in.left()) {
            throw new Malformed("a message of " + length + " bytes in a record with " + in.left(), in.at());
        }
        BgpUpdateReader.Options options = new BgpUpdateReader.Options(wide, paths, paths, false);
        BgpUpdateReader reader = new BgpUpdateReader(options, peer.get());
        reader.read(in.bytes, message.at(), in.at() + length);
        messages++;
    }
}
