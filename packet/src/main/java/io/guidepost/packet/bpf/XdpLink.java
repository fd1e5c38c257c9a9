package io.guidepost.packet.bpf;

import io.guidepost.packet.linux.SystemCall;
import java.io.IOException;

/**
 * A program on what an interface receives, in its driver or behind it. The kernel detaches it when the descriptor is closed, at the
 * latest by the end of the process.
 *
 * @param descriptor of the link
 * @param inDriver whether it runs in the driver (native mode)
 */
public record XdpLink(int descriptor, boolean inDriver) {
    /** Where the program runs. */
    public enum Mode {
        /** In the driver if it can, else behind it. */
        AUTO,
        /** In the driver, before the kernel makes a packet of its own of the frame. */
        NATIVE,
        /** Behind the driver: with every device. */
        GENERIC
    }

    /** What to do when the kernel does not permit it. */
    public static final String PRIVILEGE_ADVICE = "not permitted; run it as root, or with the capabilities CAP_BPF, CAP_NET_ADMIN and"
            + " CAP_NET_RAW (AmbientCapabilities= in a unit of systemd)";

    private static final int IN_DRIVER = 4;
    private static final int BEHIND_DRIVER = 2;

    /**
     * Attaches a program.
     *
     * @param program its descriptor
     * @param index of the interface
     * @param device name of the interface
     * @param user who wants it, for the message
     * @throws IOException in one line: what conflicts
     */
    public static XdpLink attach(int program, int index, String device, Mode mode, String user) throws IOException {
        int link = mode == Mode.GENERIC ? -SystemCall.EOPNOTSUPP : BpfCalls.link(BpfCalls.XDP, program, index, IN_DRIVER);
        boolean refused = link < 0;
        if (refused && mode != Mode.NATIVE && link != -SystemCall.EBUSY && link != -SystemCall.EEXIST) {
            link = BpfCalls.link(BpfCalls.XDP, program, index, BEHIND_DRIVER);
        }
        if (link < 0) {
            throw new IOException(user + ": the program cannot be put on the interface: " + reason(device, mode, -link));
        }
        return new XdpLink(link, !refused);
    }

    private static String reason(String device, Mode mode, int error) {
        return switch (error) {
            case SystemCall.EBUSY, SystemCall.EEXIST ->
                "another XDP program is on it; end its owner (ip -d link show dev " + device
                        + " names it), or ip link set dev " + device + " xdp off";
            case SystemCall.EOPNOTSUPP -> "its driver has no native mode; choose mode=generic";
            case SystemCall.EINVAL -> "the kernel refuses an argument as invalid; links of XDP need Linux 5.9";
            case SystemCall.ERANGE -> "its MTU, or its peer's, is too large for the native mode; set a smaller one,"
                    + " or choose mode=generic";
            case SystemCall.ENOSPC -> "its peer has more transmit queues than it has receive queues; set fewer there,"
                    + " or choose mode=generic";
            default -> SystemCall.meaning(error) + (mode == Mode.NATIVE ? "; mode=generic may do" : "");
        };
    }

    /**
     * Returns a descriptor that a call of bpf(2) gave.
     *
     * @param what it is, for the message
     * @throws IOException in one line, if it is a negated error number
     */
    public static int checked(int descriptor, String what, String user) throws IOException {
        if (descriptor >= 0) {
            return descriptor;
        }
        throw new IOException(user + ": the kernel does not take " + what + ": " + switch (-descriptor) {
            case SystemCall.EPERM, SystemCall.EACCES -> PRIVILEGE_ADVICE;
            case SystemCall.ENOSYS, SystemCall.EINVAL -> "it has no bpf, or an old one; Linux 5.9 has what is needed";
            default -> SystemCall.meaning(-descriptor);
        });
    }
}
