package io.guidepost.bench.gnrs;

import io.guidepost.base.Addresses;
import io.guidepost.bench.process.BenchFailure;
import io.guidepost.gnrs.peer.MergeRequest;
import io.guidepost.gnrs.peer.Peer;
import io.guidepost.gnrs.peer.PeerDescriptor;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.names.Name;
import io.guidepost.store.HybridClock;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordMerge;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.List;

/** Sends requests to servers as another server of their deployment does, from its host; nothing is sealed. */
final class PeerImpostor implements AutoCloseable {
    private static final int BYTES_MAX = 1500;
    private static final int WAIT_MILLIS = 500;
    private static final int ATTEMPTS = 20;

    /** Where the digest is in the payload of a MERGE_RESPONSE, and the code in that of a COMPARE_RESPONSE. */
    private static final int DIGEST_AT = 12;

    private static final int COMPARED_AT = 4;

    private final Peer as;
    private final long fingerprint;
    private final DatagramSocket socket;
    private int id;
    private int port = 5000;
    private long exchanged;

    /**
     * Opens a socket at the host of a server.
     *
     * @param as the server that it stands for
     * @param fingerprint of the tables of the deployment
     */
    PeerImpostor(InetSocketAddress as, long fingerprint) throws IOException {
        this.as = new Peer(new PeerDescriptor("", as, PeerDescriptor.Kind.GUIDEPOST), false);
        this.fingerprint = fingerprint;
        this.socket = new DatagramSocket(new InetSocketAddress(as.getAddress(), 0));
        socket.setSoTimeout(WAIT_MILLIS);
    }

    /** Returns the bytes of requests and responses so far. */
    long bytes() {
        return exchanged;
    }

    /** Has a server merge a new place into a record; returns the record's digest there. */
    long merge(InetSocketAddress server, Guid guid) {
        Binding place = Binding.of(Locator.of(new InetSocketAddress(Addresses.ofIpv4(0x7f000001), ++port)));
        byte[] bare = RecordImage.write(Name.of(guid).key(), 0, List.of(place), List.of());
        byte[] change = RecordMerge.change(bare, HybridClock.of(System.currentTimeMillis()), true);
        MergeRequest request = new MergeRequest(as, change, false) {
            @Override
            public void ended(int code, long newest, long digest) {
                if (code != PeerWire.DONE) {
                    throw new BenchFailure(server + " refused a MERGE with code " + code);
                }
            }
        };
        byte[] bytes = new byte[request.bytes()];
        request.write(MemorySegment.ofArray(bytes), 0, bytes.length, ++id);
        byte[] response = ask(server, bytes);
        request.answered(MemorySegment.ofArray(response), 0, response.length, 0);
        return MemorySegment.ofArray(response).get(PeerWire.LONG, PeerWire.HEADER_BYTES + DIGEST_AT);
    }

    /** Says to a server that this one catches up, whereupon that compares at once. */
    void askForComparison(InetSocketAddress server) {
        byte[] bytes = new byte[PeerWire.HEADER_BYTES + PeerWire.PING_BYTES];
        MemorySegment out = MemorySegment.ofArray(bytes);
        PeerWire.header(out, 0, PeerWire.PING, bytes.length, ++id);
        out.set(PeerWire.LONG, PeerWire.HEADER_BYTES, fingerprint);
        out.set(PeerWire.LONG, PeerWire.HEADER_BYTES + 8, HybridClock.of(System.currentTimeMillis()));
        out.set(PeerWire.SHORT, PeerWire.HEADER_BYTES + 16, (short) PeerWire.CATCHING_UP);
        PeerWire.asker(out, PeerWire.HEADER_BYTES + 18, as);
        ask(server, bytes);
    }

    /** Returns whether a server has a record with a digest. */
    boolean has(InetSocketAddress server, Guid guid, long digest) {
        byte[] bytes = new byte[PeerWire.HEADER_BYTES + COMPARED_AT + PeerWire.COMPARED_BYTES];
        MemorySegment out = MemorySegment.ofArray(bytes);
        PeerWire.header(out, 0, PeerWire.COMPARE, bytes.length, ++id);
        out.set(PeerWire.INT, PeerWire.HEADER_BYTES, 1 << 16);
        System.arraycopy(guid.toBytes(), 0, bytes, PeerWire.HEADER_BYTES + COMPARED_AT, Guid.BYTES);
        out.set(PeerWire.LONG, PeerWire.HEADER_BYTES + COMPARED_AT + Guid.BYTES, digest);
        return ask(server, bytes)[PeerWire.HEADER_BYTES + COMPARED_AT] == PeerWire.SAME;
    }

    private byte[] ask(InetSocketAddress server, byte[] request) {
        DatagramPacket packet = new DatagramPacket(new byte[BYTES_MAX], BYTES_MAX);
        try {
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                exchanged += request.length;
                socket.send(new DatagramPacket(request, request.length, server));
                try {
                    do {
                        packet.setLength(BYTES_MAX);
                        socket.receive(packet);
                        exchanged += packet.getLength();
                    } while (MemorySegment.ofArray(packet.getData()).get(PeerWire.INT, PeerWire.ID) != id);
                    return Arrays.copyOf(packet.getData(), packet.getLength());
                } catch (SocketTimeoutException silent) {
                    // It is busy: once more.
                }
            }
        } catch (IOException e) {
            throw new BenchFailure("cannot ask " + server + ": " + e.getMessage(), e);
        }
        throw new BenchFailure(server + " does not answer a request of another server");
    }

    @Override
    public void close() {
        socket.close();
    }
}
