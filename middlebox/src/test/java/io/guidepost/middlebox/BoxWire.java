package io.guidepost.middlebox;

import io.guidepost.packet.Burst;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.Port;
import io.guidepost.packet.TransportChecksum;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.InternetChecksum;
import io.guidepost.packet.memory.MemoryLink;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A link of which a middlebox has one end, and the test the other. */
public final class BoxWire implements AutoCloseable {
    private final MemoryLink link;
    private final List<Burst> out = new ArrayList<>();
    private final List<Burst> in = new ArrayList<>();
    private final List<List<byte[]>> aside = new ArrayList<>();
    private final Map<String, Long> neighbours = new HashMap<>();

    public BoxWire(String name) {
        this(name, 1);
    }

    /** A link with so many queues, which the test chooses from. */
    public BoxWire(String name, int queues) {
        link = new MemoryLink(FrameSettings.of(name).withQueues(queues));
        for (int i = 0; i < queues; i++) {
            out.add(link.left().tx(i).burst());
            in.add(link.left().rx(i).burst());
            aside.add(new ArrayList<>());
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

    /** Puts a neighbour on the link, which {@link #answer answers} when it is asked for. */
    public BoxWire neighbour(String address, long mac) {
        return neighbour(0, address, mac);
    }

    /** The same in a VLAN. */
    public BoxWire neighbour(int vlan, String address, long mac) {
        neighbours.put(vlan + " " + InetAddress.ofLiteral(address).getHostAddress(), mac);
        return this;
    }

    /** Has the neighbours answer what the middlebox has asked them, on the queue that it asked by; keeps all other frames. */
    public void answer() {
        for (int queue = 0; queue < in.size(); queue++) {
            for (byte[] frame : receivedOn(queue)) {
                byte[] answer = answer(frame);
                if (answer.length > 0) {
                    sendOn(queue, answer);
                } else {
                    aside.get(queue).add(frame);
                }
            }
        }
    }

    private byte[] answer(byte[] frame) {
        ByteBuffer bytes = ByteBuffer.wrap(frame);
        boolean isTagged = bytes.getShort(12) == (short) 0x8100;
        int vlan = isTagged ? bytes.getShort(14) & 0xfff : 0;
        byte[] plain = isTagged ? Packet.untagged(frame) : frame;
        byte[] answer = answer(vlan, plain);
        return isTagged && answer.length > 0 ? Packet.tagged(answer, vlan) : answer;
    }

    private byte[] answer(int vlan, byte[] frame) {
        if (frame[12] == 8 && frame[13] == 6 && frame[21] == 1) {
            String asked = Packet.ipv4(frame, 38);
            Long mac = neighbours.get(vlan + " " + asked);
            return mac == null ? new byte[0] : Packet.arp(2, mac, asked, port().mac(), Packet.ipv4(frame, 28));
        }
        if (frame[12] == (byte) 0x86 && frame[20] == Packet.ICMPV6 && frame[54] == (byte) 135) {
            String asked = Packet.address(frame, 62);
            Long mac = neighbours.get(vlan + " " + asked);
            if (mac != null) {
                byte[] answer = Packet.neighbour(136, asked, Packet.address(frame, 22), asked, mac);
                System.arraycopy(Packet.ethernet(port().mac(), mac, 0, new byte[0]), 0, answer, 0, 12);
                return answer;
            }
        }
        return new byte[0];
    }

    /** All frames that one queue of the middlebox has sent. */
    public List<byte[]> receivedOn(int queue) {
        Burst burst = in.get(queue);
        List<byte[]> frames = new ArrayList<>(aside.get(queue));
        aside.get(queue).clear();
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
