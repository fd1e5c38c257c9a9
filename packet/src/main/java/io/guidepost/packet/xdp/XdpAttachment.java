package io.guidepost.packet.xdp;

import io.guidepost.packet.bpf.BpfCalls;
import io.guidepost.packet.device.NetDevice;
import io.guidepost.packet.linux.SystemCall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;

/**
 * The eBPF program on its interface with its two maps: sockets by queue, and counters. It holds only descriptors, so
 * the kernel detaches everything when the process ends in any way.
 */
final class XdpAttachment implements AutoCloseable {
    private static final int NATIVE = 4;
    private static final int GENERIC = 2;

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
            driver = attach(program, device, options.mode());
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private boolean attach(int program, NetDevice device, XdpOptions.Mode mode) throws IOException {
        int link = mode == XdpOptions.Mode.GENERIC ? -SystemCall.EOPNOTSUPP : BpfCalls.link(BpfCalls.XDP, program, device.index(), NATIVE);
        boolean refused = link < 0;
        if (refused && mode != XdpOptions.Mode.NATIVE && link != -SystemCall.EBUSY && link != -SystemCall.EEXIST) {
            link = BpfCalls.link(BpfCalls.XDP, program, device.index(), GENERIC);
        }
        if (link < 0) {
            throw attachRefusal(device, mode, -link);
        }
        descriptors.add(link);
        return !refused;
    }

    private IOException attachRefusal(NetDevice device, XdpOptions.Mode mode, int error) {
        String why = switch (error) {
            case SystemCall.EBUSY, SystemCall.EEXIST ->
                "another XDP program is on it; end its owner (ip -d link show dev " + device.name()
                        + " names it), or ip link set dev " + device.name() + " xdp off";
            case SystemCall.EOPNOTSUPP -> "its driver has no native mode; choose mode=generic";
            case SystemCall.EINVAL -> "the kernel refuses an argument as invalid; links of XDP need Linux 5.9";
            case SystemCall.ERANGE -> "its MTU, or its peer's, is too large for the native mode; set a smaller one,"
                    + " or choose mode=generic";
            case SystemCall.ENOSPC -> "its peer has more transmit queues than it has receive queues; set fewer there,"
                    + " or choose mode=generic";
            default -> SystemCall.meaning(error) + (mode == XdpOptions.Mode.NATIVE ? "; mode=generic may do" : "");
        };
        return new IOException(user + ": the program cannot be put on the interface: " + why);
    }

    private int keep(int descriptor, String what) throws IOException {
        if (descriptor >= 0) {
            descriptors.add(descriptor);
            return descriptor;
        }
        throw new IOException(user + ": the kernel does not take " + what + ": " + switch (-descriptor) {
            case SystemCall.EPERM, SystemCall.EACCES -> XdpOptions.PRIVILEGE_ADVICE;
            case SystemCall.ENOSYS, SystemCall.EINVAL -> "it has no bpf, or an old one; Linux 5.9 has what is needed";
            default -> SystemCall.meaning(-descriptor);
        });
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
        try (Arena arena = Arena.ofConfined()) {
            for (int descriptor : descriptors.reversed()) {
                SystemCall.call(SystemCall.errno(arena), SystemCall.CLOSE, descriptor, 0, 0);
            }
            descriptors.clear();
        }
    }
}
