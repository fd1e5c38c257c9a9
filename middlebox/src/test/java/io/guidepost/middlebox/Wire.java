package io.guidepost.middlebox;

import io.guidepost.packet.Burst;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.MemoryLink;
import io.guidepost.packet.Port;
import io.guidepost.packet.TransportChecksum;
import io.guidepost.packet.frame.Checksum;
import io.guidepost.packet.frame.Headers;
import java.util.ArrayList;
import java.util.List;

/** A link of which a middlebox has one end, and the test the other. */
public final class Wire implements AutoCloseable {
    private final MemoryLink link;
    private final Burst out;
    private final Burst in;

    public Wire(String name) {
        link = new MemoryLink(FrameSettings.of(name));
        out = link.left().tx(0).burst();
        in = link.left().rx(0).burst();
    }

    /** The middlebox' end. */
    public Port port() {
        return link.right();
    }

    /** The packet memory of both ends. */
    public MemoryLink link() {
        return link;
    }

    /** Sends frames to the middlebox. */
    public void send(byte[]... frames) {
        for (byte[] each : frames) {
            Packet.append(out, each);
            if (link.left().tx(0).send(out) > 0) {
                throw new AssertionError("the link is full");
            }
        }
    }

    /** Sends an untagged IPv4 frame as a kernel does that leaves its checksum to the device. */
    public void sendPartial(byte[] frame) {
        Packet.append(out, frame);
        Headers headers = new Headers();
        if (!headers.read(out, 0)) {
            throw new AssertionError("it must be a frame that is right");
        }
        // Up to where the packet ends: behind it there may be padding, which no device sums.
        out.reshape(0, out.offset(0), headers.networkEnd());
        headers.read(out, 0);
        Checksum.leave(out, 0, headers);
        if (!TransportChecksum.isPartial(out.checksum(0)) || link.left().tx(0).send(out) > 0) {
            throw new AssertionError("it was not left, or the link is full");
        }
    }

    /** All frames that the middlebox has sent, whose checksums must be partial, as a port completes them. */
    public List<byte[]> completed() {
        List<byte[]> frames = new ArrayList<>();
        while (link.left().rx(0).receive(in) > 0) {
            for (int i = 0; i < in.count(); i++) {
                if (!TransportChecksum.isPartial(in.checksum(i))) {
                    throw new AssertionError("a frame whose checksum is not partial");
                }
                Checksum.complete(in, i);
                frames.add(Packet.bytes(in, i));
            }
        }
        in.clear();
        return frames;
    }

    /** All frames that the middlebox has sent. */
    public List<byte[]> received() {
        List<byte[]> frames = new ArrayList<>();
        while (link.left().rx(0).receive(in) > 0) {
            for (int i = 0; i < in.count(); i++) {
                frames.add(Packet.bytes(in, i));
            }
        }
        in.clear();
        return frames;
    }

    @Override
    public void close() {
        link.close();
    }
}
