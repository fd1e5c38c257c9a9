package io.guidepost.packet.xdp;

import io.guidepost.packet.bpf.BpfCalls;
import io.guidepost.packet.bpf.XdpLink;
import io.guidepost.packet.device.NetDevice;
import io.guidepost.packet.linux.SystemCall;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The eBPF program on its interface with its two maps: sockets by queue, and counters. It holds only descriptors, so
 * the kernel detaches everything when the process ends in any way.
 */
final class XdpAttachment implements AutoCloseable {
    /** Receive queues of a device at most. */
    private static final int QUEUES_MAX = 1024;

    private final String user;
    private final List<Integer> descriptors = new ArrayList<>();
    private final int sockets;
    private final int counters;
    private final boolean driver;

    /**
     * Loads the program and attaches it to the interface.
     *
     * @throws IOException in one line: what is missing or conflicts
     */
    XdpAttachment(NetDevice device, XdpOptions options, String user) throws IOException {
        this.user = user;
        try {
            sockets = keep(BpfCalls.createMap(BpfCalls.XSK_MAP, Integer.BYTES, QUEUES_MAX, "guidepost_xsks"), "a map of sockets");
            counters = keep(
                    BpfCalls.createMap(BpfCalls.PER_CPU_ARRAY, Long.BYTES, RedirectProgram.COUNTERS, "guidepost_count"),
                    "a map of counters");
            long[] code = RedirectProgram.instructions(options.redirect(), options.dropsRest(), sockets, counters);
            int program = keep(BpfCalls.load(BpfCalls.XDP, code, "guidepost", user), "the program");
            XdpLink link = XdpLink.attach(program, device.index(), device.name(), options.mode(), user);
            descriptors.add(link.descriptor());
            driver = link.inDriver();
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private int keep(int descriptor, String what) throws IOException {
        descriptors.add(XdpLink.checked(descriptor, what, user));
        return descriptor;
    }

    /** Returns whether it runs in the driver (native mode). */
    boolean isNative() {
        return driver;
    }

    /** Redirects frames of a receive queue to a socket. */
    void redirect(int queue, int socket) throws IOException {
        int result = BpfCalls.update(sockets, queue, socket);
        if (result < 0) {
            throw new IOException(
                    user + ": the kernel does not take the socket of queue " + queue + ": " + SystemCall.meaning(-result));
        }
    }

    /** Returns one of the program's counters; see {@link RedirectProgram}. */
    synchronized long counter(int number) {
        return descriptors.isEmpty() ? 0 : BpfCalls.sum(counters, number);
    }

    /** Detaches the program; idempotent. */
    @Override
    public synchronized void close() {
        descriptors.reversed().forEach(SystemCall::close);
        descriptors.clear();
    }
}
