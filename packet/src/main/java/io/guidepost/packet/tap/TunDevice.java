package io.guidepost.packet.tap;

import io.guidepost.base.Memory;
import io.guidepost.packet.device.SharedDescriptor;
import io.guidepost.packet.device.VirtioNetHeader;
import io.guidepost.packet.linux.SystemCall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Opens {@code /dev/net/tun} and creates the interface (linux/if_tun.h).
 *
 * <pre>
 *  struct ifreq, 40 bytes:  0 name, 16 bytes with a zero at the end   16 flags (short)
 * </pre>
 */
final class TunDevice {
    private static final String FILE = "/dev/net/tun";
    private static final int AT_FDCWD = -100;
    private static final int O_RDWR_NONBLOCK_CLOEXEC = 0x80802;
    private static final int TUNSETIFF = 0x4004_54ca;
    private static final int TUNSETPERSIST = 0x4004_54cb;
    private static final int TUNSETOFFLOAD = 0x4004_54d0;
    private static final int TUNSETVNETHDRSZ = 0x4004_54d8;
    private static final int IFF_TUN = 0x1;
    private static final int IFF_TAP = 0x2;
    private static final int IFF_MULTI_QUEUE = 0x100;
    private static final int IFF_NO_PI = 0x1000;
    private static final int IFF_VNET_HDR = 0x4000;
    private static final int TUN_F_CSUM = 1;
    private static final int TUN_F_TSO4 = 2;
    private static final int TUN_F_TSO6 = 4;
    private static final int NAME_BYTES_MAX = 15;

    private TunDevice() {}

    /** A queue of an interface, and the interface's name: {@code tap%d} becomes the next free one. */
    record Queue(SharedDescriptor socket, String device) {}

    /**
     * Opens a queue.
     *
     * @param port the port's name, for messages
     * @param ethernet whether it carries Ethernet frames, else IP packets
     * @param several whether the interface has more than one queue
     * @param partial whether a {@link VirtioNetHeader} before each frame allows partial checksums in both directions
     * @param trains whether it allows TCP packets of many segments as well, which need that header
     */
    static Queue open(String port, String device, boolean ethernet, boolean several, boolean partial, boolean trains)
            throws IOException {
        if (!SystemCall.AVAILABLE) {
            throw new IOException(port + ": such ports need Linux on x86-64 or aarch64");
        }
        if (device.isEmpty() || device.length() > NAME_BYTES_MAX || device.contains("/")) {
            throw new IOException(port + ": an interface has a name of 1 to " + NAME_BYTES_MAX + " letters, without /");
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = SystemCall.errno(arena);
            long file = arena.allocateFrom(FILE).address();
            long result = SystemCall.call(errno, SystemCall.OPENAT, AT_FDCWD, file, O_RDWR_NONBLOCK_CLOEXEC);
            if (result < 0) {
                throw refused(port, (int) -result);
            }
            SharedDescriptor socket = new SharedDescriptor((int) result);
            MemorySegment request = arena.allocate(40, Long.BYTES);
            request.setString(0, device);
            int flags = (ethernet ? IFF_TAP : IFF_TUN)
                    | IFF_NO_PI
                    | (several ? IFF_MULTI_QUEUE : 0)
                    | (partial ? IFF_VNET_HDR : 0);
            Memory.put16Le(request.address() + 16, flags);
            long made = SystemCall.call(errno, SystemCall.IOCTL, socket.number(), TUNSETIFF, request.address());
            if (made < 0) {
                socket.close();
                throw refused(port, (int) -made);
            }
            String name = request.getString(0);
            Memory.put32Le(request.address(), VirtioNetHeader.BYTES);
            // An existing interface keeps its last owner's settings, unless they are set.
            long set = partial ? SystemCall.call(errno, SystemCall.IOCTL, socket.number(), TUNSETVNETHDRSZ, request.address()) : 0;
            if (set == 0) {
                set = SystemCall.call(errno, SystemCall.IOCTL, socket.number(), TUNSETOFFLOAD, offloads(partial, trains));
            }
            if (set < 0) {
                socket.close();
                throw new IOException(port + ": this kernel leaves no checksums to it: "
                        + SystemCall.meaning((int) -set) + "; set checksums=software");
            }
            return new Queue(socket, name);
        }
    }

    private static int offloads(boolean partial, boolean trains) {
        return (partial ? TUN_F_CSUM : 0) | (trains ? TUN_F_TSO4 | TUN_F_TSO6 : 0);
    }

    /** Has the interface stay when the last program has closed it. */
    static void keep(String port, Queue queue) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            long set = SystemCall.call(SystemCall.errno(arena), SystemCall.IOCTL, queue.socket.number(), TUNSETPERSIST, 1);
            if (set < 0) {
                throw new IOException(port + ": the kernel does not keep the interface: " + SystemCall.meaning((int) -set));
            }
        }
    }

    private static IOException refused(String port, int error) {
        return new IOException(port + ": " + switch (error) {
            case SystemCall.ENOENT, SystemCall.ENODEV, SystemCall.ENXIO ->
                "this kernel has no " + FILE + "; load its module: modprobe tun";
            case SystemCall.EPERM, SystemCall.EACCES ->
                "making an interface takes root or the capability CAP_NET_ADMIN; to try it without, start in a network"
                        + " namespace of your own: unshare -rn";
            case SystemCall.EBUSY -> "another program has the interface";
            case SystemCall.EINVAL -> "an interface of that name is there, of another kind or number of queues";
            default -> "the kernel does not make the interface: " + SystemCall.meaning(error);
        });
    }
}
