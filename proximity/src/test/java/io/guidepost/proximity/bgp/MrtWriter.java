package io.guidepost.proximity.bgp;

import io.guidepost.base.Address;
import io.guidepost.base.Prefix;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/** Writes files of MRT as collectors do, for tests and sample dumps. */
final class MrtWriter {
    private static final int TIME = 1_700_000_000;

    private final OutputStream out;
    private int number;

    MrtWriter(OutputStream out) {
        this.out = out;
    }

    /** A way of one peer. */
    record Way(int peer, int pathId, long... path) {}

    void record(int type, int subtype, byte[] body) throws IOException {
        ByteArrayOutputStream header = new ByteArrayOutputStream();
        BgpTestMessages.put(header, 4, TIME);
        BgpTestMessages.put(header, 2, type);
        BgpTestMessages.put(header, 2, subtype);
        BgpTestMessages.put(header, 4, body.length);
        out.write(header.toByteArray());
        out.write(body);
    }

    void index(List<MrtPeer> peers) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        BgpTestMessages.put(body, 4, 1);
        BgpTestMessages.put(body, 2, 0);
        BgpTestMessages.put(body, 2, peers.size());
        for (MrtPeer each : peers) {
            body.write(each.address().isIpv4() ? 2 : 3);
            BgpTestMessages.put(body, 4, each.identifier());
            body.writeBytes(BgpTestMessages.address(each.address()));
            BgpTestMessages.put(body, 4, each.as());
        }
        record(13, 1, body.toByteArray());
    }

    void table(Prefix prefix, boolean paths, List<Way> ways) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        BgpTestMessages.put(body, 4, number++);
        body.writeBytes(BgpTestMessages.prefix(prefix));
        BgpTestMessages.put(body, 2, ways.size());
        for (Way each : ways) {
            BgpTestMessages.put(body, 2, each.peer);
            BgpTestMessages.put(body, 4, TIME);
            if (paths) {
                BgpTestMessages.put(body, 4, each.pathId);
            }
            byte[] attributes = prefix.isIpv4()
                    ? BgpTestMessages.attributes(each.path)
                    : BgpTestMessages.join(
                            BgpTestMessages.attribute(0x40, 1, new byte[1]),
                            BgpTestMessages.attribute(0x40, 2, BgpTestMessages.path(4, each.path)),
                            BgpTestMessages.attribute(0x80, 14, BgpTestMessages.hex("10 20010db8000000000000000000000001")));
            BgpTestMessages.put(body, 2, attributes.length);
            body.writeBytes(attributes);
        }
        record(13, (prefix.isIpv4() ? 2 : 4) + (paths ? 6 : 0), body.toByteArray());
    }

    /** A message, or a change of state if the body has four bytes. */
    void replayed(int subtype, MrtPeer peer, byte[] rest) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        boolean wide = subtype == 4 || subtype == 5 || subtype == 9;
        BgpTestMessages.put(body, wide ? 4 : 2, peer.as());
        BgpTestMessages.put(body, wide ? 4 : 2, 65_000);
        BgpTestMessages.put(body, 2, 0);
        BgpTestMessages.put(body, 2, peer.address().isIpv4() ? 1 : 2);
        body.writeBytes(BgpTestMessages.address(peer.address()));
        body.writeBytes(BgpTestMessages.address(peer.address().isIpv4() ? Address.ofIpv4(1) : peer.address()));
        body.writeBytes(rest);
        record(16, subtype, body.toByteArray());
    }
}
