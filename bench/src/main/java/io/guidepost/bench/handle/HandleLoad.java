package io.guidepost.bench.handle;

import io.guidepost.bench.handle.HandleBenchCommand.Way;
import io.guidepost.bench.load.UdpLoadGenerator;
import io.guidepost.bench.process.ProcessMeter;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.ReadinessProbe;
import io.guidepost.bench.scene.RunningServerCommand.Generator;
import io.guidepost.handle.client.ClientIdentity;
import io.guidepost.handle.message.OpFlag;
import io.guidepost.packet.udp.SegmentationOffload;
import java.net.InetSocketAddress;

/**
 * The load of Handle servers over one transport.
 *
 * @param stage of the generators
 * @param handle to resolve, or the beginning of the names of several
 * @param records number of handles to resolve
 * @param outstanding requests
 * @param trains whether requests of equal length are sent as one, over UDP
 */
record HandleLoad(BenchStage stage, Way way, String handle, int records, int outstanding, SegmentationOffload trains) {
    private static final int UDP_OUTSTANDING = 64;
    private static final int STREAM_OUTSTANDING = 32;

    /** Usual numbers of outstanding requests, for people. */
    static final String OUTSTANDING = UDP_OUTSTANDING + " over UDP, else " + STREAM_OUTSTANDING;

    /** Returns the usual number of outstanding requests of a transport. */
    static int outstanding(Way way) {
        return way == Way.UDP ? UDP_OUTSTANDING : STREAM_OUTSTANDING;
    }

    /** Encodes the requests that resolve handles. */
    HandleRequests requests() {
        return way == Way.TCP_KEEPALIVE
                ? new HandleRequests(handle, records, OpFlag.PUBL, OpFlag.RECU, OpFlag.KPAL)
                : new HandleRequests(handle, records, OpFlag.PUBL, OpFlag.RECU);
    }

    /**
     * Returns a generator that resolves handles at a server.
     *
     * @param pid of the server, for its processor time; 0 = unknown
     */
    Generator resolving(InetSocketAddress server, long pid) {
        if (way != Way.UDP) {
            return new CStreamGenerator(stage.folder(), server, pid, way, requests(), outstanding)::run;
        }
        InetSocketAddress local = new InetSocketAddress(ReadinessProbe.localAddressTo(server), 0);
        return new UdpLoadGenerator(stage.port(local, trains), server, requests(), outstanding, new ProcessMeter(pid)::cpuNanos)::run;
    }

    /** Returns requests that create handles, in sessions that an administrator begins at a server. */
    Creations creating(InetSocketAddress server, ClientIdentity who) {
        return new Creations(this, new CreateRequests(server, handle, who, outstanding, way == Way.CREATE_KEPT));
    }

    /** Requests that create handles. */
    record Creations(HandleLoad load, CreateRequests requests) {
        /** Returns a generator that sends them to a server, which need not be the one that the sessions are with. */
        CStreamGenerator to(InetSocketAddress server, long pid) {
            return CStreamGenerator.creating(load.stage.folder(), server, pid, load.way, requests, load.outstanding);
        }
    }
}
