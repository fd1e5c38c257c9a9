package io.guidepost.server.gnrs;

import static io.guidepost.packet.bpf.BpfAssembler.half;

import io.guidepost.base.Address;
import io.guidepost.gnrs.wire.GnrsOptionType;
import io.guidepost.gnrs.wire.GnrsWire;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.packet.bpf.BpfAssembler;
import io.guidepost.packet.bpf.BpfAssembler.Condition;
import io.guidepost.packet.bpf.BpfAssembler.Size;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.Ipv4;
import io.guidepost.server.gnrs.KernelCacheProgram.Family;
import io.guidepost.server.gnrs.KernelCacheProgram.Place;

/**
 * The part of {@link KernelCacheProgram} that reads a request: it goes on with a LOOKUP for this server which the program can answer, and
 * jumps to "pass" with all else. The frame begins at register 2, and ends at register 3; then register 8 points to the GUID, and on the
 * stack is what the constants say.
 */
final class KernelCacheRequest {
    static final int STACK = 10;

    /** The port that is answered to, as it stands in a frame. */
    static final int PORT = -32;

    /** The client's network. */
    static final int NETWORK = -40;

    /** Bytes of the request. */
    static final int ASKED = -64;

    /** Bytes of the frame; 0 = it is longer than the request needs. */
    static final int FRAME = -72;

    /** The longest answer that the client says it takes; 0xffff if it does not say. */
    static final int TAKEN = -80;

    /** The lowest of these and those of {@link KernelCacheProgram}. */
    static final int STACK_END = TAKEN;

    static final int UDP_BYTES = 8;

    /** Bytes of the shortest request. */
    static final int PLAIN_BYTES = GnrsWire.HEADER_BYTES + Guid.BYTES;

    /** RECURSION, as the first version sends it alone. */
    private static final int RECURSION = GnrsOptionType.RECURSION.code() << 8 | 2;

    /** What clients of this project send behind it: ACCEPT with the longest answer that they take. */
    private static final int ACCEPT = (GnrsWire.OPTION_LAST | GnrsOptionType.ACCEPT.code()) << 8 | 2;

    private static final int OPTION_BYTES = GnrsWire.OPTION_HEADER_BYTES + Short.BYTES;

    private final BpfAssembler code;
    private final Family family;
    private final Place place;
    private final int control;

    /** Writes to an assembler, for a family of addresses; the control map says whether other servers may know better. */
    KernelCacheRequest(BpfAssembler code, Family family, Place place, int control) {
        this.code = code;
        this.family = family;
        this.place = place;
        this.control = control;
    }

    /** Writes the instructions. */
    void write() {
        readHeaders();
        readQuestion();
    }

    /** Jumps to the label if the frame, at register 2, has fewer bytes. */
    static void need(BpfAssembler code, int bytes, String otherwise) {
        code.move(4, 2).addNumber(4, bytes).jumpIfRegister(Condition.GREATER, 4, 3, otherwise);
    }

    private void need(int bytes, String otherwise) {
        need(code, bytes, otherwise);
    }

    /** Passes what is no whole datagram to the server; keeps the client's network, and its port in register 9. */
    private void readHeaders() {
        need(family.message + PLAIN_BYTES, "pass");
        boolean four = family == Family.IPV4;
        code.load(Size.BYTE, 4, 2, 14);
        if (four) {
            code.jumpIf(Condition.NOT_EQUAL, 4, 0x45, "pass")
                    .load(Size.HALF, 4, 2, 20)
                    .jumpIf(Condition.ANY_BIT, 4, half(0x3fff), "pass");
        } else {
            code.shiftRight(4, 4)
                    .jumpIf(Condition.NOT_EQUAL, 4, 6, "pass")
                    // UDP over IPv6 has a checksum.
                    .load(Size.HALF, 4, 2, family.message - 2)
                    .jumpIf(Condition.EQUAL, 4, 0, "pass");
        }
        code.load(Size.BYTE, 4, 2, four ? 23 : 20).jumpIf(Condition.NOT_EQUAL, 4, HeaderParser.UDP, "pass");
        readDestination();
        code.load(Size.HALF, 4, 2, family.message - 6)
                .jumpIf(Condition.NOT_EQUAL, 4, half(place.port()), "pass")
                .load(Size.HALF, 9, 2, family.message - UDP_BYTES);
        // No host has such a source, and the network stack would answer none.
        code.load(Size.BYTE, 4, 2, family.source).jumpIf(Condition.GREATER, 4, four ? 223 : 254, "pass");
        if (four) {
            code.jumpIf(Condition.EQUAL, 4, 0, "pass")
                    .jumpIf(Condition.EQUAL, 4, 127, "pass")
                    .load(Size.WORD, 4, 2, family.source)
                    .andNumber(4, 0x00ff_ffff);
        } else {
            code.load(Size.DOUBLE, 4, 2, family.source).shiftLeft(4, 16);
        }
        code.store(Size.DOUBLE, STACK, NETWORK, 4);
    }

    private void readDestination() {
        String here = family.word + " here";
        int number = 0;
        for (Address each : place.addresses()) {
            if (!family.has(each)) {
                continue;
            }
            if (family == Family.IPV4) {
                code.load(Size.WORD, 4, 2, family.destination())
                        .jumpIfWord(Condition.EQUAL, 4, Integer.reverseBytes((int) each.low()), here);
            } else {
                String next = here + number++;
                code.load(Size.DOUBLE, 4, 2, family.destination())
                        .number(5, Long.reverseBytes(each.high()))
                        .jumpIfRegister(Condition.NOT_EQUAL, 4, 5, next)
                        .load(Size.DOUBLE, 4, 2, family.destination() + Long.BYTES)
                        .number(5, Long.reverseBytes(each.low()))
                        .jumpIfRegister(Condition.EQUAL, 4, 5, here)
                        .label(next);
            }
        }
        code.jump("pass").label(here);
    }

    /**
     * Passes what is no LOOKUP with the client's address as its origin, or none; keeps the GUID, the port that is answered to, and the
     * length in register 8.
     */
    private void readQuestion() {
        int message = family.message;
        String plain = family.word + " plain";
        String found = family.word + " named";
        code.load(Size.DOUBLE, 5, 2, message + GnrsWire.OPTIONS_OFFSET)
                .move(1, 5)
                .andNumber(1, 0xffff)
                .shiftRight(5, 16)
                .number(4, offsets(Family.IPV4, 0))
                .jumpIfRegister(Condition.EQUAL, 5, 4, plain)
                .number(4, offsets(family, family.originBytes))
                .jumpIfRegister(Condition.NOT_EQUAL, 5, 4, "pass");
        readOptions(family.originBytes);
        readOrigin();
        code.jump(found).label(plain);
        readOptions(0);
        code.label(found).store(Size.DOUBLE, STACK, PORT, 9);
    }

    /** Returns all but the offset of the options, as a load in the processor's order sees it. */
    private static long offsets(Family family, int originBytes) {
        return Long.reverseBytes(GnrsWire.offsets(0, family.originType.code(), originBytes)) >>> Short.SIZE;
    }

    /** Passes options other than those that clients send with each look-up; register 1 has where they begin. */
    private void readOptions(int originBytes) {
        int options = PLAIN_BYTES + originBytes;
        int at = family.message + options;
        String bare = family.word + originBytes + " bare";
        String both = family.word + originBytes + " both";
        String read = family.word + originBytes + " read";
        need(at, "pass");
        code.moveNumber(7, 0xffff).jumpIf(Condition.EQUAL, 1, 0, bare).jumpIf(Condition.NOT_EQUAL, 1, half(options), "pass");
        need(at + OPTION_BYTES, "pass");
        code.mapValue(1, control)
                .load(Size.WORD, 4, 1, KernelCacheProgram.ALONE)
                .jumpIf(Condition.EQUAL, 4, 0, "pass")
                .load(Size.HALF, 4, 2, at)
                .jumpIf(Condition.EQUAL, 4, half(RECURSION), both)
                .jumpIf(Condition.NOT_EQUAL, 4, half(GnrsWire.OPTION_LAST << 8 | RECURSION), "pass");
        readLengths(originBytes, OPTION_BYTES);
        code.jump(read).label(both);
        need(at + 2 * OPTION_BYTES, "pass");
        code.load(Size.HALF, 4, 2, at + OPTION_BYTES)
                .jumpIf(Condition.NOT_EQUAL, 4, half(ACCEPT), "pass")
                .load(Size.HALF, 7, 2, at + OPTION_BYTES + GnrsWire.OPTION_HEADER_BYTES)
                .bigEndian(7, 16);
        readLengths(originBytes, 2 * OPTION_BYTES);
        code.jump(read).label(bare);
        readLengths(originBytes, 0);
        code.label(read).store(Size.DOUBLE, STACK, TAKEN, 7);
    }

    /** Keeps what the length of a question says; register 8 points to its GUID. */
    private void readLengths(int originBytes, int optionBytes) {
        int length = PLAIN_BYTES + originBytes + optionBytes;
        boolean four = family == Family.IPV4;
        int message = family.message;
        String exact = family.word + originBytes + " exact " + optionBytes;
        code.load(Size.WORD, 4, 2, message)
                .jumpIfWord(Condition.NOT_EQUAL, 4, Integer.reverseBytes(GnrsWire.LOOKUP << 16 | length), "pass")
                .load(Size.HALF, 4, 2, message - 4)
                .jumpIf(Condition.NOT_EQUAL, 4, half(UDP_BYTES + length), "pass")
                .load(Size.HALF, 4, 2, four ? 16 : 18)
                .jumpIf(Condition.NOT_EQUAL, 4, half((four ? Ipv4.BYTES : 0) + UDP_BYTES + length), "pass")
                .moveNumber(5, message + length);
        need(message + length + 1, exact);
        code.moveNumber(5, 0)
                .label(exact)
                .store(Size.DOUBLE, STACK, FRAME, 5)
                .moveNumber(4, length)
                .store(Size.DOUBLE, STACK, ASKED, 4)
                .move(8, 2)
                .addNumber(8, message + GnrsWire.ORIGIN + originBytes);
    }

    /** As the door does: an origin of zeros stands for the source, another must have its address, and may name another port. */
    private void readOrigin() {
        int origin = family.message + GnrsWire.ORIGIN;
        String own = family.word + " own";
        String given = family.word + " given";
        if (family == Family.IPV4) {
            code.load(Size.WORD, 4, 2, origin)
                    .jumpIf(Condition.EQUAL, 4, 0, own)
                    .load(Size.WORD, 5, 2, family.source)
                    .jumpIfRegister(Condition.NOT_EQUAL, 4, 5, "pass");
        } else {
            code.load(Size.DOUBLE, 4, 2, origin)
                    .load(Size.DOUBLE, 5, 2, origin + Long.BYTES)
                    .move(1, 4)
                    .or(1, 5)
                    .jumpIf(Condition.EQUAL, 1, 0, own)
                    .load(Size.DOUBLE, 1, 2, family.source)
                    .jumpIfRegister(Condition.NOT_EQUAL, 1, 4, "pass")
                    .load(Size.DOUBLE, 1, 2, family.source + Long.BYTES)
                    .jumpIfRegister(Condition.NOT_EQUAL, 1, 5, "pass");
        }
        code.load(Size.HALF, 4, 2, origin + family.addressBytes)
                .jumpIf(Condition.NOT_EQUAL, 4, 0, given)
                .jump(own)
                .label(given)
                .move(9, 4)
                .label(own);
    }
}
