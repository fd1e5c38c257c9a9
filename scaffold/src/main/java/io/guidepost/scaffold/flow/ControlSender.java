package io.guidepost.scaffold.flow;

import io.guidepost.base.Memory;
import io.guidepost.names.Guid;
import io.guidepost.scaffold.key.Association;
import io.guidepost.scaffold.key.Seal;
import io.guidepost.scaffold.wire.ControlWriter;
import io.guidepost.scaffold.wire.HostLocator;
import io.guidepost.scaffold.wire.MessageType;
import io.guidepost.scaffold.wire.ScaffoldLimits;
import io.guidepost.scaffold.wire.Tlv;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Writes, seals and sends control messages, one at a time. Belongs to one thread. */
final class ControlSender {
    private final Guid own;
    private final GatewayOutput output;
    private final Seal seal;
    private final ControlWriter writer = new ControlWriter();
    private final MemorySegment room = Arena.ofAuto().allocate(ScaffoldLimits.CONTROL_BYTES_MAX, Long.BYTES);

    private int lastBytes;

    ControlSender(Guid own, GatewayOutput output, Seal seal) {
        this.own = own;
        this.output = output;
        this.seal = seal;
    }

    /** Begins a message that ends in a seal; the GUID of this host is in it. */
    ControlWriter begin(MessageType type, int flags, long receiverFlow, long senderFlow, int epoch, Association to) {
        return writer.begin(room, 0, type, flags, receiverFlow, senderFlow, epoch, to.nextSequence()).guid(Tlv.HOST, own);
    }

    /** Begins a message without a seal. */
    ControlWriter beginBare(MessageType type) {
        return writer.begin(room, 0, type, 0, 0, 0, 0, 0);
    }

    /** Returns a copy of what was sent last. */
    byte[] last() {
        return room.asSlice(0, lastBytes).toArray(Memory.BYTE);
    }

    /** Seals and sends what was begun. */
    void send(Association to, int way, HostLocator at) {
        send(way, at, seal.put(to, room, 0, writer.end()));
    }

    /** Sends what was begun without a seal. */
    void sendBare(int way, HostLocator at) {
        send(way, at, writer.end());
    }

    private void send(int way, HostLocator at, int length) {
        lastBytes = length;
        output.toNetwork(way, at.high(), at.low(), at.port(), room.address(), length);
    }
}
