package io.guidepost.packet.admission;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The program by which the kernel chooses among the sockets that share an address (SO_REUSEPORT): a flood socket if the sender
 * is in one of some networks, else an ordinary one. Written in classic BPF, which needs no rights (SO_ATTACH_REUSEPORT_CBPF).
 *
 * <p>With several ordinary sockets one sender's port is always of one of them, as without a program.
 *
 * <pre>
 *  an instruction, 8 bytes as one little-endian number (struct sock_filter, linux/filter.h)
 *  | operand 32 | to skip if false 8 | to skip if true 8 | opcode 16 |
 *
 *  sockets in the order in which they were bound: 0 to n-1 ordinary, n to 2n-1 flood sockets
 * </pre>
 */
final class ReuseportFilter {
    // Opcodes: class | size | mode, or class | operation | operand.
    private static final int LOAD_WORD = 0x20;
    private static final int LOAD_BYTE = 0x30;
    private static final int LOAD_WORD_INDEXED = 0x40;
    private static final int LOAD_SCRATCH = 0x60;
    private static final int LOAD_X_SCRATCH = 0x61;
    private static final int LOAD_X_HEADER_LENGTH = 0xb1;
    private static final int STORE_SCRATCH = 0x02;
    private static final int ADD = 0x04;
    private static final int MULTIPLY = 0x24;
    private static final int AND = 0x54;
    private static final int SHIFT_RIGHT = 0x74;
    private static final int MODULO = 0x94;
    private static final int EXCLUSIVE_OR_X = 0xac;
    private static final int JUMP = 0x05;
    private static final int JUMP_EQUAL = 0x15;
    private static final int RETURN = 0x06;
    private static final int RETURN_A = 0x16;

    /** Offsets from here on are of the IP header (SKF_NET_OFF). */
    private static final int NET = -0x100000;

    private static final int IPV4_SOURCE = NET + 12;
    private static final int IPV6_SOURCE = NET + 8;
    private static final int IPV6_SOURCE_END = NET + 20;
    private static final int IPV6_PORTS = NET + 40;

    /** An odd number without a pattern (2^32 divided by the golden ratio). */
    private static final int SPREAD = 0x9e3779b1;

    private final List<Long> code = new ArrayList<>();
    private final List<Integer> jumpsToFlood = new ArrayList<>();
    private final List<Integer> jumpsOn = new ArrayList<>();
    private final int queues;

    private ReuseportFilter(int queues) {
        this.queues = queues;
    }

    /**
     * Returns the instructions.
     *
     * @param queues ordinary sockets, and as many flood sockets
     */
    static long[] instructions(int queues, List<FloodSockets.Network> networks) {
        return new ReuseportFilter(queues).write(networks);
    }

    private long[] write(List<FloodSockets.Network> networks) {
        add(LOAD_BYTE, NET);
        add(SHIFT_RIGHT, 4);
        branch(6, 0, 1);
        int toIpv6 = add(JUMP, 0);
        hashIpv4();
        of(networks, true).forEach(this::testIpv4);
        jumpsOn.add(add(JUMP, 0));
        land(toIpv6);
        hashIpv6();
        of(networks, false).forEach(this::testIpv6);
        jumpsOn.forEach(this::land);
        choose(0);
        jumpsToFlood.forEach(this::land);
        choose(queues);
        return code.stream().mapToLong(Long::longValue).toArray();
    }

    private static List<FloodSockets.Network> of(List<FloodSockets.Network> networks, boolean ipv4) {
        return networks.stream()
                .filter(each -> each.isIpv4() == ipv4)
                .sorted(Comparator.comparingLong(FloodSockets.Network::high).thenComparingLong(FloodSockets.Network::low))
                .toList();
    }

    private void hashIpv4() {
        if (queues > 1) {
            add(LOAD_WORD, IPV4_SOURCE);
            add(STORE_SCRATCH, 0);
            add(LOAD_X_HEADER_LENGTH, NET);
            add(LOAD_WORD_INDEXED, NET);
            hash();
        }
    }

    private void hashIpv6() {
        if (queues > 1) {
            add(LOAD_WORD, IPV6_SOURCE_END);
            add(STORE_SCRATCH, 0);
            add(LOAD_WORD, IPV6_PORTS);
            hash();
        }
    }

    /** Number of a queue out of the ports in the accumulator and the address in the scratch memory. */
    private void hash() {
        add(LOAD_X_SCRATCH, 0);
        add(EXCLUSIVE_OR_X, 0);
        add(MULTIPLY, SPREAD);
        add(SHIFT_RIGHT, 16);
        add(MODULO, queues);
        add(STORE_SCRATCH, 0);
    }

    private void testIpv4(FloodSockets.Network network) {
        add(LOAD_WORD, IPV4_SOURCE);
        if (network.bits() < Integer.SIZE) {
            add(AND, -1 << Integer.SIZE - network.bits());
        }
        branch((int) network.low(), 0, 1);
        jumpsToFlood.add(add(JUMP, 0));
    }

    private void testIpv6(FloodSockets.Network network) {
        List<Integer> words = List.of(
                (int) (network.high() >>> Integer.SIZE), (int) network.high(),
                (int) (network.low() >>> Integer.SIZE), (int) network.low());
        List<Integer> tests = new ArrayList<>();
        for (int i = 0; i * Integer.SIZE < network.bits(); i++) {
            int left = network.bits() - i * Integer.SIZE;
            add(LOAD_WORD, IPV6_SOURCE + i * Integer.BYTES);
            if (left < Integer.SIZE) {
                add(AND, -1 << Integer.SIZE - left);
            }
            tests.add(branch(words.get(i), 0, 0));
        }
        jumpsToFlood.add(add(JUMP, 0));
        for (int test : tests) {
            code.set(test, code.get(test) | (long) (code.size() - test - 1) << 24);
        }
    }

    private void choose(int firstSocket) {
        if (queues > 1) {
            add(LOAD_SCRATCH, 0);
            add(ADD, firstSocket);
            add(RETURN_A, 0);
        } else {
            add(RETURN, firstSocket);
        }
    }

    /** Skips instructions by whether the accumulator is a number. */
    private int branch(int number, int ifTrue, int ifFalse) {
        int at = add(JUMP_EQUAL, number);
        code.set(at, code.get(at) | (long) ifTrue << 16 | (long) ifFalse << 24);
        return at;
    }

    /** Has a jump end at the next instruction. */
    private void land(int jump) {
        code.set(jump, code.get(jump) | (long) (code.size() - jump - 1) << Integer.SIZE);
    }

    private int add(int opcode, int operand) {
        code.add((long) operand << Integer.SIZE | opcode);
        return code.size() - 1;
    }
}
