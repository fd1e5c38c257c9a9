package io.guidepost.middlebox;

import io.guidepost.packet.Burst;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.Port;
import io.guidepost.packet.TransportChecksum;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.InternetChecksum;
import io.guidepost.packet.memory.MemoryLink;
import java.util.ArrayList;
import java.util.List;

/** A link of which a middlebox has one end, and the test the other. */
public final class BoxWire implements AutoCloseable {
    private final MemoryLink link;
    private final List<Burst> out = new ArrayList<>();
    private final List<Burst> in = new ArrayList<>();

    public BoxWire(String name) {
        this(name, 1);
    }

    /** A link with so many queues, which the test chooses from. */
    public BoxWire(String name, int queues) {
        link = new MemoryLink(FrameSettings.of(name).withQueues(queues));
        for (int i = 0; i < queues; i++) {
            out.add(link.left().tx(i).burst());
            in.add(link.left().rx(i).burst());
        }
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
        sendOn(0, frames);
    }

    /** Sends frames to one queue of the middlebox. */
    public void sendOn(int queue, byte[]... frames) {
        for (byte[] each : frames) {
            Packet.append(out.get(queue), each);
            if (link.left().tx(queue).send(out.get(queue)) > 0) {
                throw new AssertionError("the link is full");
            }
        }
    }

    /** Sends frames to the middlebox' own Ethernet address, whatever theirs is. */
    public void sendTo(int queue, byte[]... frames) {
        for (byte[] each : frames) {
            byte[] copy = each.clone();
            System.arraycopy(Packet.ethernet(port().mac(), 0, 0, new byte[0]), 0, copy, 0, 6);
            sendOn(queue, copy);
        }
    }

    /** Sends an untagged IPv4 frame as a kernel does that leaves its checksum to the device. */
    public void sendPartial(byte[] frame) {
        Burst burst = out.getFirst();
        Packet.append(burst, frame);
        HeaderParser headers = new HeaderParser();
        if (!headers.read(burst, 0)) {
            throw new AssertionError("it must be a frame that is right");
        }
        // Up to where the packet ends: behind it there may be padding, which no device sums.
        burst.reshape(0, burst.offset(0), headers.networkEnd());
        headers.read(burst, 0);
        InternetChecksum.leave(burst, 0, headers);
        if (!TransportChecksum.isPartial(burst.checksum(0)) || link.left().tx(0).send(burst) > 0) {
            throw new AssertionError("it was not left, or the link is full");
        }
    }

    /** All frames that the middlebox has sent, whose checksums must be partial, as a port completes them. */
    public List<byte[]> completed() {
        Burst burst = in.getFirst();
        List<byte[]> frames = new ArrayList<>();
        while (link.left().rx(0).receive(burst) > 0) {
            for (int i = 0; i < burst.count(); i++) {
                if (!TransportChecksum.isPartial(burst.checksum(i))) {
                    throw new AssertionError("a frame whose checksum is not partial");
                }
                InternetChecksum.complete(burst, i);
                frames.add(Packet.bytes(burst, i));
            }
        }
        burst.clear();
        return frames;
    }

    /** All frames that the middlebox has sent. */
    public List<byte[]> received() {
        return receivedOn(0);
    }

    /** All frames that one queue of the middlebox has sent. */
    public List<byte[]> receivedOn(int queue) {
        Burst burst = in.get(queue);
        List<byte[]> frames = new ArrayList<>();
        while (link.left().rx(queue).receive(burst) > 0) {
            for (int i = 0; i < burst.count(); i++) {
                frames.add(Packet.bytes(burst, i));
            }
        }
        burst.clear();
        return frames;
    }

    @Override
    public void close() {
        link.close();
    }
}
