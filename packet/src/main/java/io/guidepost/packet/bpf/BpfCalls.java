package io.guidepost.packet.bpf;

import io.guidepost.base.Memory;
import io.guidepost.packet.linux.SystemCall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The bpf(2) calls of a program in the kernel. They return descriptors: when the last one of a link is closed, at the latest by the end
 * of the process, the kernel detaches the program.
 *
 * <pre>
 *  union bpf_attr (linux/bpf.h)
 *  map create:   0 type   4 key bytes   8 value bytes   12 entries   16 flags   28 name, 16
 *  map element:  0 map    8 address of the key   16 address of the value   24 flags
 *  prog load:    0 type   4 instructions   8 their address   16 address of the license   24 log level   28 log bytes
 *               32 address of the log   48 name, 16   68 attach type
 *  link create:  0 program   4 interface   8 attach type   12 flags
 *  link update:  0 link   4 program
 *  object info:  0 descriptor   4 bytes of the info   8 address of the info, in which a link of XDP has its interface at 16
 * </pre>
 */
public final class BpfCalls {
    /** A type of maps. */
    public static final int PER_CPU_ARRAY = 6;

    /** A type of maps. */
    public static final int XSK_MAP = 17;

    static final int HASH = 1;

    private static final int ARRAY = 2;

    /** A flag of an array: a process may map its elements into its memory (Linux 5.5). */
    private static final int MAPPABLE = 0x400;

    private static final int PROTECTION_READ_WRITE = 3;
    private static final int MAP_SHARED = 1;

    /** Where a program is attached to an interface: to what it receives, before the kernel has looked at it. */
    public static final int XDP = 37;

    /** The same: to what leaves by it (Linux 6.6). */
    static final int TCX_EGRESS = 47;

    private static final int MAP_CREATE = 0;
    private static final int MAP_LOOKUP = 1;
    private static final int MAP_UPDATE = 2;
    private static final int MAP_DELETE = 3;
    private static final int PROG_LOAD = 5;
    private static final int PROGRAM_BY_NUMBER = 13;
    private static final int OBJECT_INFO = 15;
    private static final int LINK_CREATE = 28;
    private static final int LINK_UPDATE = 29;
    private static final int ENABLE_STATS = 32;
    private static final int PROG_TYPE_XDP = 6;
    private static final int PROG_TYPE_SCHED_CLS = 3;
    private static final int ATTRIBUTE_BYTES = 128;

    /** Of what is told of a link: its head, and the interface. */
    private static final int INFO_BYTES = 24;

    /** Bytes for the verifier's log of a refused program: a few hundred lines. */
    private static final int LOG_BYTES = 1 << 16;

    /** Most processors of a kernel (NR_CPUS of the largest configurations). */
    private static final int CPUS_MAX = 8192;

    private BpfCalls() {}

    /** Creates a map with keys of 4 bytes; returns its descriptor, or a negated error number. */
    public static int createMap(int type, int valueBytes, int entries, String name) {
        return createMap(type, Integer.BYTES, valueBytes, entries, 0, name);
    }

    /** Creates an array whose elements {@link #memory} makes memory of this process; returns its descriptor, or a negated error number. */
    public static int createSharedArray(int valueBytes, int entries, String name) {
        return createMap(ARRAY, Integer.BYTES, valueBytes, entries, MAPPABLE, name);
    }

    /**
     * Returns the address of the first element of a shared array, or a negated error number. They stay there until the process ends,
     * in whole multiples of 8 bytes one behind the other.
     */
    public static long memory(int array, long bytes) {
        try (Arena arena = Arena.ofConfined()) {
            return SystemCall.call(
                    SystemCall.errno(arena), SystemCall.MMAP, 0, bytes, PROTECTION_READ_WRITE, MAP_SHARED, array, 0);
        }
    }

    /** Creates a map; see {@link #createMap(int, int, int, String)}. */
    static int createMap(int type, int keyBytes, int valueBytes, int entries, int flags, String name) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attribute = attribute(arena);
            long at = attribute.address();
            Memory.put32Le(at, type);
            Memory.put32Le(at + 4, keyBytes);
            Memory.put32Le(at + 8, valueBytes);
            Memory.put32Le(at + 12, entries);
            Memory.put32Le(at + 16, flags);
            attribute.setString(28, name);
            return call(arena, MAP_CREATE, at);
        }
    }

    /** Sets an element to a number of 4 bytes; returns 0, or a negated error number. */
    public static int update(int map, int key, int value) {
        try (Arena arena = Arena.ofConfined()) {
            long number = arena.allocate(Integer.BYTES, Long.BYTES).address();
            Memory.put32Le(number, key);
            return update(map, number, value);
        }
    }

    /** Sets the element of the key at an address; see {@link #update(int, int, int)}. */
    static int update(int map, long key, int value) {
        try (Arena arena = Arena.ofConfined()) {
            long number = arena.allocate(Integer.BYTES, Long.BYTES).address();
            Memory.put32Le(number, value);
            return call(arena, MAP_UPDATE, element(arena, map, key, number));
        }
    }

    /** Removes the element of the key at an address. */
    static void delete(int map, long key) {
        try (Arena arena = Arena.ofConfined()) {
            call(arena, MAP_DELETE, element(arena, map, key, 0));
        }
    }

    /** Returns the sum of an element's 8-byte numbers over all processors; 0 if it cannot be read. */
    public static long sum(int map, int key) {
        try (Arena arena = Arena.ofConfined()) {
            long numbers = arena.allocate((CPUS_MAX + 1L) * Long.BYTES, Long.BYTES).address();
            long values = numbers + Long.BYTES;
            Memory.put32Le(numbers, key);
            long sum = 0;
            if (call(arena, MAP_LOOKUP, element(arena, map, numbers, values)) == 0) {
                // The kernel writes a number for each possible processor; zeros follow.
                for (int i = 0; i < CPUS_MAX; i++) {
                    sum += Memory.i64Le(values + (long) i * Long.BYTES);
                }
            }
            return sum;
        }
    }

    /**
     * Loads a program; returns its descriptor, or a negated error number.
     *
     * @param attach where it is to be attached
     * @throws IOException with the verifier's last words, if it refuses the program
     */
    public static int load(int attach, long[] instructions, String name, String user) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            int loaded = load(arena, attach, instructions, name, 0);
            if (loaded != -SystemCall.EINVAL && loaded != -SystemCall.EACCES) {
                return loaded;
            }
            long log = arena.allocate(LOG_BYTES).address();
            loaded = load(arena, attach, instructions, name, log);
            String said = MemorySegment.ofAddress(log).reinterpret(LOG_BYTES).getString(0);
            if (loaded < 0 && !said.isBlank()) {
                throw new IOException(user + ": the kernel's verifier refuses the program, which is an error of ours or a"
                        + " kernel older than Linux 5.9: " + lastLines(said));
            }
            return loaded;
        }
    }

    private static int load(Arena arena, int attach, long[] instructions, String name, long log) {
        MemorySegment code = arena.allocate((long) instructions.length * Long.BYTES, Long.BYTES);
        for (int i = 0; i < instructions.length; i++) {
            Memory.put64Le(code.address() + (long) i * Long.BYTES, instructions[i]);
        }
        MemorySegment attribute = attribute(arena);
        long at = attribute.address();
        Memory.put32Le(at, attach == XDP ? PROG_TYPE_XDP : PROG_TYPE_SCHED_CLS);
        Memory.put32Le(at + 4, instructions.length);
        Memory.put64Le(at + 8, code.address());
        Memory.put64Le(at + 16, arena.allocateFrom("Apache-2.0").address());
        if (log != 0) {
            Memory.put32Le(at + 24, 1);
            Memory.put32Le(at + 28, LOG_BYTES);
            Memory.put64Le(at + 32, log);
        }
        attribute.setString(48, name);
        Memory.put32Le(at + 68, attach);
        return call(arena, PROG_LOAD, at);
    }

    /** Attaches a program to an interface; returns the link's descriptor, or a negated error number. */
    public static int link(int attach, int program, int device, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            long at = attribute(arena).address();
            Memory.put32Le(at, program);
            Memory.put32Le(at + 4, device);
            Memory.put32Le(at + 8, attach);
            Memory.put32Le(at + 12, flags);
            return call(arena, LINK_CREATE, at);
        }
    }

    /** Returns a descriptor of a program by the number that the kernel gave it, or a negated error number. */
    public static int program(int number) {
        try (Arena arena = Arena.ofConfined()) {
            long at = attribute(arena).address();
            Memory.put32Le(at, number);
            return call(arena, PROGRAM_BY_NUMBER, at);
        }
    }

    /**
     * Has the kernel count runs of all programs and their time ({@code run_cnt} and {@code run_time_ns} in the fdinfo of a program) until
     * the descriptor that this returns is closed; or returns a negated error number. Costs two reads of a clock for each run.
     */
    public static int countTime() {
        try (Arena arena = Arena.ofConfined()) {
            return call(arena, ENABLE_STATS, attribute(arena).address());
        }
    }

    /** Puts another program in the place of that of a link, between two frames; returns 0, or a negated error number. */
    public static int replace(int link, int program) {
        try (Arena arena = Arena.ofConfined()) {
            long at = attribute(arena).address();
            Memory.put32Le(at, link);
            Memory.put32Le(at + 4, program);
            return call(arena, LINK_UPDATE, at);
        }
    }

    /** Returns the index of the interface that a link of XDP is on; 0 if that is gone, or it is no such link. */
    public static int device(int link) {
        try (Arena arena = Arena.ofConfined()) {
            long info = attribute(arena).address();
            long at = attribute(arena).address();
            Memory.put32Le(at, link);
            Memory.put32Le(at + 4, INFO_BYTES);
            Memory.put64Le(at + 8, info);
            return call(arena, OBJECT_INFO, at) == 0 ? Memory.i32Le(info + 16) : 0;
        }
    }

    private static String lastLines(String log) {
        String[] lines = log.strip().split("\n", -1);
        int first = Math.max(0, lines.length - 3);
        return String.join("; ", java.util.Arrays.asList(lines).subList(first, lines.length));
    }

    private static long element(Arena arena, int map, long key, long value) {
        long at = attribute(arena).address();
        Memory.put32Le(at, map);
        Memory.put64Le(at + 8, key);
        Memory.put64Le(at + 16, value);
        return at;
    }

    private static MemorySegment attribute(Arena arena) {
        return arena.allocate(ATTRIBUTE_BYTES, Long.BYTES);
    }

    private static int call(Arena arena, int command, long attribute) {
        return (int) SystemCall.call(SystemCall.errno(arena), SystemCall.BPF, command, attribute, ATTRIBUTE_BYTES);
    }
}
