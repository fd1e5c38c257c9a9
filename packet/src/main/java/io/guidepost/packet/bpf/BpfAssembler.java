package io.guidepost.packet.bpf;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * An assembler for the subset of eBPF (RFC 9669) that the programs here use. Jumps go forward to labels.
 *
 * <pre>
 *  an instruction, 8 bytes as one little-endian number
 *  | immediate 32 | offset 16 | source 4 | destination 4 | opcode 8 |
 * </pre>
 */
public final class BpfAssembler {
    /** The width of a load or store: the size bits of its opcode. */
    public enum Size {
        BYTE(0x10),
        HALF(0x08),
        WORD(0x00),
        DOUBLE(0x18);

        private final int bits;

        Size(int bits) {
            this.bits = bits;
        }
    }

    /** The condition of a jump: its opcode for 64 bits and an immediate; 0x08 more compares with a register. */
    public enum Condition {
        EQUAL(0x15),
        GREATER(0x25),
        GREATER_OR_EQUAL(0x35),
        ANY_BIT(0x45),
        NOT_EQUAL(0x55),
        SIGNED_GREATER(0x65);

        private final int opcode;

        Condition(int opcode) {
            this.opcode = opcode;
        }
    }

    /** A helper function of the kernel: finds an element of a map. */
    public static final int MAP_LOOKUP = 1;

    private static final int STACK = 10;
    private static final int LOAD = 0x61;
    private static final int STORE = 0x63;
    private static final int LOAD_LONG = 0x18;
    private static final int EXCLUSIVE_OR = 0xaf;
    private static final int MOVE_NUMBER = 0xb7;
    private static final int MOVE = 0xbf;
    private static final int ADD_NUMBER = 0x07;
    private static final int ADD = 0x0f;
    private static final int SUBTRACT = 0x1f;
    private static final int MULTIPLY = 0x2f;
    private static final int OR = 0x4f;
    private static final int AND_NUMBER = 0x57;
    private static final int SHIFT_LEFT = 0x67;
    private static final int SHIFT_RIGHT = 0x77;
    private static final int BIG_ENDIAN = 0xdc;
    private static final int ATOMIC = 0xdb;
    private static final int JUMP = 0x05;
    private static final int CALL = 0x85;
    private static final int EXIT = 0x95;

    /** Changes a 64-bit comparison to the lower 32 bits. */
    private static final int NARROW = 0x01;

    private static final int REGISTER = 0x08;

    /** In a long load: the immediate is a map's descriptor, and the result its address. */
    private static final int MAP = 1;

    /** The same: the result is the address of its first element, and the second half of the immediate is added. */
    private static final int MAP_VALUE = 2;

    private record Jump(int at, String label) {}

    private final List<Long> code = new ArrayList<>();
    private final List<Jump> jumps = new ArrayList<>();
    private final Map<String, Integer> labels = new HashMap<>();

    /** Loads from memory, zero-extended. */
    public BpfAssembler load(Size size, int to, int base, int offset) {
        return add(LOAD | size.bits, to, base, offset, 0);
    }

    /** Stores to memory. */
    public BpfAssembler store(Size size, int base, int offset, int from) {
        return add(STORE | size.bits, base, from, offset, 0);
    }

    /** Loads a 64-bit immediate. */
    public BpfAssembler number(int to, long value) {
        add(LOAD_LONG, to, 0, 0, (int) value);
        return add(0, 0, 0, 0, (int) (value >>> 32));
    }

    /** Loads the address of a map. */
    public BpfAssembler map(int to, int descriptor) {
        add(LOAD_LONG, to, MAP, 0, descriptor);
        return add(0, 0, 0, 0, 0);
    }

    /** Loads the address of the first element of an array. */
    public BpfAssembler mapValue(int to, int descriptor) {
        add(LOAD_LONG, to, MAP_VALUE, 0, descriptor);
        return add(0, 0, 0, 0, 0);
    }

    /** Copies a register. */
    public BpfAssembler move(int to, int from) {
        return add(MOVE, to, from, 0, 0);
    }

    /** Sets a register to a number, sign-extended. */
    public BpfAssembler moveNumber(int to, int value) {
        return add(MOVE_NUMBER, to, 0, 0, value);
    }

    /** Adds a register. */
    public BpfAssembler add(int to, int from) {
        return add(ADD, to, from, 0, 0);
    }

    /** Subtracts a register. */
    public BpfAssembler subtract(int from, int number) {
        return add(SUBTRACT, from, number, 0, 0);
    }

    /** Multiplies by a register. */
    public BpfAssembler multiply(int to, int by) {
        return add(MULTIPLY, to, by, 0, 0);
    }

    /** Sets bits of a register. */
    public BpfAssembler or(int to, int from) {
        return add(OR, to, from, 0, 0);
    }

    /** Inverts bits of a register. */
    public BpfAssembler exclusiveOr(int to, int from) {
        return add(EXCLUSIVE_OR, to, from, 0, 0);
    }

    /** Adds a number. */
    public BpfAssembler addNumber(int to, int value) {
        return add(ADD_NUMBER, to, 0, 0, value);
    }

    /** Clears bits that a number has not. */
    public BpfAssembler andNumber(int to, int value) {
        return add(AND_NUMBER, to, 0, 0, value);
    }

    /** Shifts to higher bits. */
    public BpfAssembler shiftLeft(int to, int bits) {
        return add(SHIFT_LEFT, to, 0, 0, bits);
    }

    /** Shifts to lower bits, zeros behind. */
    public BpfAssembler shiftRight(int to, int bits) {
        return add(SHIFT_RIGHT, to, 0, 0, bits);
    }

    /** Turns the lower bits of a register to the order of the network or back, and clears the others. */
    public BpfAssembler bigEndian(int to, int bits) {
        return add(BIG_ENDIAN, to, 0, 0, bits);
    }

    /** Adds a register to 64 bits of memory in one step, as other processors add to it too. */
    public BpfAssembler atomicAdd(int base, int offset, int from) {
        return add(ATOMIC, base, from, offset, 0);
    }

    /** Jumps if a register compares with an immediate, signed 64 bits. */
    public BpfAssembler jumpIf(Condition condition, int register, int value, String label) {
        return jump(condition.opcode, register, 0, value, label);
    }

    /** Jumps if the lower 32 bits of a register compare with an immediate. */
    public BpfAssembler jumpIfWord(Condition condition, int register, int value, String label) {
        return jump(condition.opcode + NARROW, register, 0, value, label);
    }

    /** Jumps if two registers compare. */
    public BpfAssembler jumpIfRegister(Condition condition, int one, int other, String label) {
        return jump(condition.opcode | REGISTER, one, other, 0, label);
    }

    /** Jumps. */
    public BpfAssembler jump(String label) {
        return jump(JUMP, 0, 0, 0, label);
    }

    /** Calls a helper function: arguments in registers 1 to 5, which it clobbers, result in 0. */
    public BpfAssembler call(int function) {
        return add(CALL, 0, 0, 0, function);
    }

    /**
     * Adds one to an element of an array of 64-bit counters, and ends the program: the number of the element is in register 8, the
     * result in register 7. Uses the label "end", and the four bytes of the stack at its top.
     */
    public BpfAssembler countAndExit(int counters) {
        return store(Size.WORD, STACK, -4, 8)
                .move(2, STACK)
                .addNumber(2, -4)
                .map(1, counters)
                .call(MAP_LOOKUP)
                .jumpIf(Condition.EQUAL, 0, 0, "end")
                .load(Size.DOUBLE, 1, 0, 0)
                .addNumber(1, 1)
                .store(Size.DOUBLE, 0, 0, 1)
                .label("end")
                .move(0, 7)
                .exit();
    }

    /** Ends the program; its result is in register 0. */
    public BpfAssembler exit() {
        return add(EXIT, 0, 0, 0, 0);
    }

    /** Sets a label at the next instruction. */
    public BpfAssembler label(String name) {
        if (labels.put(name, code.size()) != null) {
            throw new IllegalStateException("the label " + name + " is set twice");
        }
        return this;
    }

    /** Returns the instructions with resolved jumps. */
    public long[] assemble() {
        for (Jump jump : jumps) {
            Integer target = labels.get(jump.label);
            int distance = target == null ? -1 : target - jump.at - 1;
            if (distance < 0 || distance > Short.MAX_VALUE) {
                throw new IllegalStateException("no jump can go to the label " + jump.label);
            }
            code.set(jump.at, code.get(jump.at) | (long) distance << 16);
        }
        jumps.clear();
        return code.stream().mapToLong(Long::longValue).toArray();
    }

    /** Returns two bytes of a frame, in network order, as a load in the processor's order sees them. */
    public static int half(int value) {
        return Short.toUnsignedInt(Short.reverseBytes((short) value));
    }

    private BpfAssembler jump(int opcode, int one, int other, int value, String label) {
        jumps.add(new Jump(code.size(), label));
        return add(opcode, one, other, 0, value);
    }

    private BpfAssembler add(int opcode, int to, int from, int offset, int immediate) {
        code.add((long) immediate << 32 | (offset & 0xffffL) << 16 | (long) from << 12 | (long) to << 8 | opcode);
        return this;
    }
}
