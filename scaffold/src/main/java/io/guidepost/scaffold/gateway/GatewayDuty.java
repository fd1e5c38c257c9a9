package io.guidepost.scaffold.gateway;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.Port;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TxQueue;
import io.guidepost.packet.bpf.FlowOffload;
import io.guidepost.packet.frame.InternetChecksum;
import io.guidepost.packet.worker.DutyCycle;
import io.guidepost.scaffold.flow.FlowMachine;
import io.guidepost.scaffold.flow.GatewayOutput;
import io.guidepost.scaffold.segment.FlowTuple;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;


/** What the gateway's worker does in a turn: commands, links, datagrams, packets of the kernel, questions, and what is due. */
final class GatewayDuty implements DutyCycle, GatewayOutput {
    private static final int ETHERNET_BYTES = 14;
    private static final int IPV4 = 0x0800;
    private static final int IPV6 = 0x86dd;

    /** Looks for sockets of programs. */
    interface Sockets {
        /** See {@link GatewayOutput#listens}. */
        boolean listens(int protocol, boolean ipv4, int port);

        /** See {@link GatewayOutput#hasConnection}. */
        boolean hasConnection(FlowTuple tuple);
    }

    private final RxQueue rx;
    private final TxQueue tx;
    private final Burst in;
    private final Burst out;
    private final WaySockets ways;
    private final FlowOffload offload;
    private final Sockets sockets;
    private final @Nullable ZoneServer zone;
    private final MachineQuestions<FlowMachine> questions;
    private final FlowMachine machine;
    private boolean begun;
    private long restNanos;

    /**
     * Creates the duty.
     *
     * @param offload the kernel's table of flows with labels
     * @param machine makes the machine, which sends by what it is given
     */
    GatewayDuty(
            Port tun,
            WaySockets ways,
            @Nullable ZoneServer zone,
            FlowOffload offload,
            Sockets sockets,
            MachineQuestions<FlowMachine> questions,
            Function<GatewayOutput, FlowMachine> machine) {
        this.rx = tun.rx(0);
        this.tx = tun.tx(0);
        this.in = rx.burst();
        this.out = tx.burst();
        this.ways = ways;
        this.zone = zone;
        this.offload = offload;
        this.sockets = sockets;
        this.questions = questions;
        this.machine = machine.apply(this);
    }

    @Override
    public int work(long nowMillis) {
        machine.clock(System.nanoTime(), nowMillis);
        if (!begun) {
            begun = true;
            ways.apply(machine);
        }
        int moved = (ways.update(machine) ? 1 : 0) + questions.answer(machine);
        moved += ways.receive(machine) + fromKernel() + (zone == null ? 0 : zone.receive(machine));
        restNanos = machine.tick();
        flush();
        return moved;
    }

    private int fromKernel() {
        int count = rx.receive(in);
        for (int i = 0; i < count; i++) {
            InternetChecksum.complete(in, i);
            machine.fromKernel(in.offset(i) + ETHERNET_BYTES, in.length(i) - ETHERNET_BYTES);
        }
        return count;
    }

    private void flush() {
        boolean full = out.count() > 0 && tx.send(out) > 0;
        full |= ways.flush();
        full |= zone != null && zone.flush();
        if (full) {
            restNanos = Math.min(restNanos, GatewayLimits.RETRY_NANOS);
        }
    }

    @Override
    public long restNanos() {
        return restNanos;
    }

    @Override
    public void toKernel(long packet, int length) {
        if (!out.hasRoom()) {
            tx.send(out);
        }
        if (!out.hasRoom() || length > out.roomBytes() - ETHERNET_BYTES) {
            tx.statistics().drop(Drop.NO_ROOM, 1);
            return;
        }
        long room = out.room();
        Memory.put64(room, 0);
        Memory.put32(room + 8, 0);
        Memory.put16(room + 12, Memory.u8(packet) >>> 4 == 6 ? IPV6 : IPV4);
        Memory.copy(packet, room + ETHERNET_BYTES, length);
        out.append(ETHERNET_BYTES + length);
    }

    @Override
    public boolean listens(int protocol, boolean ipv4, int port) {
        return sockets.listens(protocol, ipv4, port);
    }

    @Override
    public boolean hasConnection(FlowTuple tuple) {
        return sockets.hasConnection(tuple);
    }

    @Override
    public FlowOffload offload() {
        return offload;
    }

    @Override
    public void toNetwork(int way, long peerHigh, long peerLow, int peerPort, long datagram, int length) {
        ways.send(way, peerHigh, peerLow, peerPort, datagram, length);
    }
}
