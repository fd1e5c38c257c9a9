package io.guidepost.packet.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.ByteOrder;

/**
 * System calls of the Linux kernel, for back ends, all through the C library's {@code syscall}: six longs in, one out.
 * One signature is linked once; a function for each shape would cost 7-13 ms each at start.
 *
 * <p>Why is no call marked critical, which would save 6 ns? A critical call blocks the garbage collector. A burst may
 * be copied for hundreds of microseconds, and a send to loopback runs the receiver's network stack before it returns,
 * so even calls that never sleep are long; over 64 packets 6 ns are nothing.
 */
public final class SystemCall {
    /** Whether the numbers below are valid on this system. */
    public static final boolean AVAILABLE = isLinux() && (isX86() || isArm()) && isLittleEndian();

    public static final int READ = isX86() ? 0 : 63;
    public static final int WRITE = isX86() ? 1 : 64;
    public static final int CLOSE = isX86() ? 3 : 57;
    public static final int MMAP = isX86() ? 9 : 222;
    public static final int MUNMAP = isX86() ? 11 : 215;
    public static final int IOCTL = isX86() ? 16 : 29;
    public static final int MADVISE = isX86() ? 28 : 233;
    public static final int WRITEV = isX86() ? 20 : 66;
    public static final int SOCKET = isX86() ? 41 : 198;
    public static final int CONNECT = isX86() ? 42 : 203;
    public static final int SENDTO = isX86() ? 44 : 206;
    public static final int RECVFROM = isX86() ? 45 : 207;
    public static final int SENDMSG = isX86() ? 46 : 211;
    public static final int RECVMSG = isX86() ? 47 : 212;
    public static final int SHUTDOWN = isX86() ? 48 : 210;
    public static final int BIND = isX86() ? 49 : 200;
    public static final int LISTEN = isX86() ? 50 : 201;
    public static final int GETSOCKNAME = isX86() ? 51 : 204;
    public static final int GETPEERNAME = isX86() ? 52 : 205;
    public static final int SETSOCKOPT = isX86() ? 54 : 208;
    public static final int GETSOCKOPT = isX86() ? 55 : 209;
    public static final int OPENAT = isX86() ? 257 : 56;
    public static final int FCNTL = isX86() ? 72 : 25;
    public static final int GETPRIORITY = isX86() ? 140 : 141;
    public static final int SETPRIORITY = isX86() ? 141 : 140;
    public static final int PRCTL = isX86() ? 157 : 167;
    public static final int CLOCK_GETTIME = isX86() ? 228 : 113;
    public static final int SCHED_SETAFFINITY = isX86() ? 203 : 122;
    public static final int GETTID = isX86() ? 186 : 178;
    public static final int SCHED_SETATTR = isX86() ? 314 : 274;
    public static final int EPOLL_CTL = isX86() ? 233 : 21;
    public static final int MBIND = isX86() ? 237 : 235;
    public static final int PPOLL = isX86() ? 271 : 73;
    public static final int EPOLL_PWAIT = isX86() ? 281 : 22;
    public static final int ACCEPT4 = isX86() ? 288 : 242;
    public static final int EVENTFD2 = isX86() ? 290 : 19;
    public static final int EPOLL_CREATE1 = isX86() ? 291 : 20;
    public static final int DUP3 = isX86() ? 292 : 24;
    public static final int RECVMMSG = isX86() ? 299 : 243;
    public static final int SENDMMSG = isX86() ? 307 : 269;
    public static final int SETNS = isX86() ? 308 : 268;
    public static final int BPF = isX86() ? 321 : 280;
    public static final int MEMBARRIER = isX86() ? 324 : 283;

    public static final int EPERM = 1;
    public static final int ENOENT = 2;
    public static final int EINTR = 4;
    public static final int EIO = 5;
    public static final int ENXIO = 6;
    public static final int EBADF = 9;
    public static final int EAGAIN = 11;
    public static final int ENOMEM = 12;
    public static final int EACCES = 13;
    public static final int EBUSY = 16;
    public static final int EEXIST = 17;
    public static final int ENODEV = 19;
    public static final int EINVAL = 22;
    public static final int ENFILE = 23;
    public static final int EMFILE = 24;
    public static final int ENOSPC = 28;
    public static final int EPIPE = 32;
    public static final int ERANGE = 34;
    public static final int ENOSYS = 38;
    public static final int ENOTSOCK = 88;
    public static final int EMSGSIZE = 90;
    public static final int EOPNOTSUPP = 95;
    public static final int EAFNOSUPPORT = 97;
    public static final int EADDRINUSE = 98;
    public static final int EADDRNOTAVAIL = 99;
    public static final int ENETDOWN = 100;
    public static final int ENETUNREACH = 101;
    public static final int ECONNABORTED = 103;
    public static final int ECONNRESET = 104;
    public static final int ENOBUFS = 105;
    public static final int ETIMEDOUT = 110;
    public static final int ECONNREFUSED = 111;
    public static final int EHOSTDOWN = 112;
    public static final int EHOSTUNREACH = 113;

    private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");

    private SystemCall() {}

    /** The linked function, in a holder class so that nothing is linked before the first call. */
    private static final class Linked {
        static final MethodHandle CALL = Linker.nativeLinker()
                .downcallHandle(
                        Linker.nativeLinker().defaultLookup().findOrThrow("syscall"),
                        FunctionDescriptor.of(
                                JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
                        ERRNO);

        private Linked() {}
    }

    /** Allocates the error number of one thread's calls, for the arena's lifetime. */
    public static MemorySegment errno(Arena arena) {
        return arena.allocate(Linker.Option.captureStateLayout().byteSize(), ADDRESS.byteSize());
    }

    /**
     * Calls the kernel.
     *
     * @param errno receives the error number
     * @return the call's result, or the negative of its error number
     */
    public static long call(MemorySegment errno, int number, long a, long b, long c, long d, long e, long f) {
        long result;
        try {
            result = (long) Linked.CALL.invokeExact(errno, (long) number, a, b, c, d, e, f);
        } catch (Throwable t) {
            throw new AssertionError("a downcall does not throw", t);
        }
        return result == -1 ? -errno.get(JAVA_INT, 0) : result;
    }

    /** Calls the kernel with fewer arguments. */
    public static long call(MemorySegment errno, int number, long a, long b, long c) {
        return call(errno, number, a, b, c, 0, 0, 0);
    }

    /** Closes a descriptor, off the path of packets: it takes memory for an error number that nothing reads. */
    public static void close(int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            call(errno(arena), CLOSE, descriptor, 0, 0);
        }
    }

    /**
     * Returns what a call returned.
     *
     * @throws IOException with the message of its error number, if it failed
     */
    public static long checked(long result) throws IOException {
        if (result < 0) {
            throw new IOException(meaning((int) -result));
        }
        return result;
    }

    /** Returns the message of an error number. */
    public static String meaning(int error) {
        return switch (error) {
            case EPERM -> "not permitted";
            case EACCES -> "not allowed for this user";
            case EADDRINUSE, EBUSY -> "in use";
            case ENOENT -> "there is no such file";
            case ECONNREFUSED -> "no program listens there";
            case ENODEV, ENXIO -> "no such device";
            case EOPNOTSUPP -> "the device or the kernel does not know how to";
            case EADDRNOTAVAIL -> "not an address of this machine";
            case EAFNOSUPPORT -> "this kernel does not speak its kind of address";
            case EMFILE -> "this process has no file number left (ulimit -n)";
            case ENFILE -> "the system has no file left (fs.file-max)";
            case ECONNRESET, EPIPE -> "the other side has ended the connection";
            case ETIMEDOUT -> "the peer no longer responds";
            case ENOBUFS, ENOMEM -> "the kernel has no memory for it";
            case EINVAL -> "the kernel refuses an argument as invalid";
            default -> "the kernel's error number " + error;
        };
    }

    private static boolean isLinux() {
        return System.getProperty("os.name", "").equals("Linux");
    }

    private static boolean isX86() {
        return System.getProperty("os.arch", "").equals("amd64");
    }

    private static boolean isArm() {
        return System.getProperty("os.arch", "").equals("aarch64");
    }

    private static boolean isLittleEndian() {
        return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    }
}
