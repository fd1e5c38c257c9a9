package io.guidepost.server.handle.connection;

import io.guidepost.handle.door.HandleDoor;
import io.guidepost.handle.message.HandleEnvelope;
import io.guidepost.handle.message.HandleOperation;
import io.guidepost.handle.message.MessageFragmenter;
import io.guidepost.handle.service.HandleRequest;
import io.guidepost.handle.service.LoopChanges;
import io.guidepost.names.Exchange;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.InstantSource;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Answers the commonest question of connections as the door over UDP does, out of the index, and creates handles in sessions. That
 * door may hand nothing to the service: no service stands behind it here. Packets of a longer answer are put together again.
 * Belongs to one thread.
 */
public final class IndexFastPath implements ConnectionServices.Quick {
    private final HandleDoor door;
    private final Function<ScheduledExecutorService, LoopChanges> changing;
    private final InstantSource clock;
    private @Nullable LoopChanges changes;
    private final Exchange exchange = new Exchange();
    private final MemorySegment room = Arena.ofAuto().allocate(MessageFragmenter.BYTES_MAX, Long.BYTES);

    /**
     * Through a door.
     *
     * @param door whose executor refuses everything, and that may send any number of packets
     * @param changing makes what creates handles on the thread
     */
    public IndexFastPath(HandleDoor door, Function<ScheduledExecutorService, LoopChanges> changing, InstantSource clock) {
        this.door = door;
        this.changing = changing;
        this.clock = clock;
    }

    @Override
    public byte @Nullable [] answer(byte[] message) {
        if (EnvelopeFraming.operation(message) != HandleOperation.RESOLVE.number()) {
            return null;
        }
        long now = clock.millis();
        door.begin(now);
        try {
            exchange.request(MemorySegment.ofArray(message), 0, message.length, now);
            exchange.peer(0, 0, 0);
            exchange.room(room, 0, MessageFragmenter.BYTES_MAX);
            door.take(exchange);
            if (exchange.responseLength() > 0) {
                return packet();
            }
            return door.restNanos() == 0 ? together() : null;
        } finally {
            door.end();
        }
    }

    @Override
    public boolean begins(byte[] message) {
        return EnvelopeFraming.session(message) != 0 && EnvelopeFraming.operation(message) == HandleOperation.CREATE.number();
    }

    @Override
    public void begin(HandleRequest call, LoopChanges.Replies replies, ScheduledExecutorService loop) {
        if (changes == null) {
            changes = changing.apply(loop);
        }
        changes.begin(call, replies);
    }

    private byte[] packet() {
        return room.asSlice(0, exchange.responseLength()).toArray(ValueLayout.JAVA_BYTE);
    }

    private byte[] together() {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        exchange.room(room, 0, MessageFragmenter.BYTES_MAX);
        while (door.next(exchange)) {
            byte[] packet = packet();
            int from = whole.size() == 0 ? 0 : HandleEnvelope.BYTES;
            whole.write(packet, from, packet.length - from);
            exchange.room(room, 0, MessageFragmenter.BYTES_MAX);
        }
        return whole.toByteArray();
    }
}
