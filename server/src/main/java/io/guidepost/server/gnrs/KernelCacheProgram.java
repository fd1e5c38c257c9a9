package io.guidepost.server.gnrs;

import static io.guidepost.packet.bpf.BpfAssembler.MAP_LOOKUP;
import static io.guidepost.packet.bpf.BpfAssembler.half;
import static io.guidepost.server.gnrs.KernelCacheRequest.ASKED;
import static io.guidepost.server.gnrs.KernelCacheRequest.FRAME;
import static io.guidepost.server.gnrs.KernelCacheRequest.NETWORK;
import static io.guidepost.server.gnrs.KernelCacheRequest.PORT;
import static io.guidepost.server.gnrs.KernelCacheRequest.STACK;
import static io.guidepost.server.gnrs.KernelCacheRequest.TAKEN;
import static io.guidepost.server.gnrs.KernelCacheRequest.UDP_BYTES;

import io.guidepost.base.Address;
import io.guidepost.base.Addresses;
import io.guidepost.gnrs.wire.GnrsWire;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.packet.bpf.BpfAssembler;
import io.guidepost.packet.bpf.BpfAssembler.Condition;
import io.guidepost.packet.bpf.BpfAssembler.Size;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.Ipv4;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/**
 * The eBPF program that the kernel runs on each received frame: it answers a LOOKUP out of a {@link KernelCacheLine}, by the interface
 * and to the station that it came from, and passes all else to the kernel's network stack, whose sockets the door has. What it answers is
 * byte for byte what the door would: a LOOKUP has no options, or those that clients send with each, which change no answer that stands in
 * a line.
 *
 * <pre>
 *  a frame, where m is 42 in IPv4 and 62 in IPv6, and o the length of an origin
 *  0 Ethernet   14 IP   m-8 UDP   m header of GNRS   m+16 origin   in a question:  m+16+o GUID
 *                                                               in an answer:   m+16+o code, padding   m+20+o places
 *
 *  registers: 6 context   7 line, then bytes of the answer   8 GUID, budget, sum of addresses, header of UDP   9 time, then bytes of places
 *  control:   0 lease, ns of the monotonic clock   8 clock of 1970 minus the monotonic, ns   16 budget of a window, see WINDOW_BITS
 *            24 longest answer in bytes (32)   28 most bytes of an answer for each of its question (32)
 *            32 whether look-ups with options are answered: not where other servers may know better (32)
 *  budget of a network: 0 number of the window   8 answers in it
 * </pre>
 */
final class KernelCacheProgram {
    static final int LEASE = 0;
    static final int CLOCK = 8;
    static final int BUDGET = 16;
    static final int ANSWER_BYTES_MAX = 24;
    static final int AMPLIFICATION_MAX = 28;
    static final int ALONE = 32;
    static final int CONTROL_BYTES = 40;

    /** Bits of a time in nanoseconds below the number of its window: 16.8 ms. */
    static final int WINDOW_BITS = 24;

    /** Bits of the number of a network's budget. Networks that share one by chance are passed on sooner, no more. */
    static final int NETWORK_BITS = 12;

    static final int NETWORK_BYTES = 16;

    /** Elements of the map of counters: look-ups for this server that it can answer, by what became of them. */
    static final int ANSWERED = 0;

    static final int PASSED = 1;
    static final int OVER_BUDGET = 2;
    static final int COUNTERS = 3;

    private static final int XDP_DROP = 1;
    private static final int XDP_PASS = 2;
    private static final int XDP_TX = 3;

    private static final int TIME = 5;
    private static final int ADJUST_TAIL = 65;

    /** bpf_xdp_get_buff_len (Linux 5.18), as lengths of frames by subtraction take CAP_PERFMON. */
    private static final int FRAME_LENGTH = 188;

    /** bpf_xdp_store_bytes (Linux 5.18). */
    private static final int STORE_BYTES = 190;

    private static final int KEY = -8;
    private static final int NOW = -16;
    private static final int COUNT = -24;
    private static final int OPTIONS = -48;
    private static final int SUM = -56;
    private static final int PLACES = KernelCacheRequest.STACK_END - KernelCacheLine.PLACES_BYTES_MAX;

    /** Bytes of the places of a name with one of IPv4, the commonest: they are copied without a call. */
    private static final int ONE_PLACE_BYTES = 34;

    private static final int TTL = 64;

    /**
     * The maps of a program, by their descriptors.
     *
     * @param lines 2 to the power of {@code lineBits}
     * @param networks 2 to the power of {@link #NETWORK_BITS}, for each processor
     * @param secret of the numbers of lines and networks, odd
     */
    record Maps(int control, int lines, int lineBits, int networks, int counters, long secret) {}

    /**
     * Where the server is.
     *
     * @param mac of the interface, in the lower 48 bits
     * @param addresses at which it answers there, of both families
     * @param port at which it does
     * @param advertised the address in all answers; empty = that which was asked
     */
    record Place(long mac, List<Address> addresses, int port, Optional<InetSocketAddress> advertised) {}

    /** A protocol below UDP: its name in labels, where GNRS begins, and the source address in its header. */
    enum Family {
        IPV4("ipv4", 42, 26, Integer.BYTES, 6, Locator.Type.IPV4_UDP),
        IPV6("ipv6", 62, 22, 2 * Long.BYTES, 18, Locator.Type.IPV6_UDP);

        final String word;
        final int message;
        final int source;
        final int addressBytes;
        final int originBytes;
        final Locator.Type originType;

        Family(String word, int message, int source, int addressBytes, int originBytes, Locator.Type originType) {
            this.word = word;
            this.message = message;
            this.source = source;
            this.addressBytes = addressBytes;
            this.originBytes = originBytes;
            this.originType = originType;
        }

        boolean has(Address address) {
            return Addresses.isIpv4(address.high(), address.low()) == (this == IPV4);
        }

        int destination() {
            return source + addressBytes;
        }
    }

    private final Maps maps;
    private final Place place;
    private final BpfAssembler code = new BpfAssembler();

    private KernelCacheProgram(Maps maps, Place place) {
        this.maps = maps;
        this.place = place;
    }

    /** Returns the instructions. */
    static long[] instructions(Maps maps, Place place) {
        return new KernelCacheProgram(maps, place).write();
    }

    private long[] write() {
        code.move(6, 1).load(Size.WORD, 2, 6, 0).load(Size.WORD, 3, 6, 4);
        KernelCacheRequest.need(code, Family.IPV4.message + KernelCacheRequest.PLAIN_BYTES, "pass");
        code.load(Size.WORD, 4, 2, 0)
                .jumpIfWord(Condition.NOT_EQUAL, 4, Integer.reverseBytes((int) (place.mac >>> 16)), "pass")
                .load(Size.HALF, 4, 2, 4)
                .jumpIf(Condition.NOT_EQUAL, 4, half((int) place.mac & 0xffff), "pass")
                .load(Size.HALF, 4, 2, 12)
                .jumpIf(Condition.EQUAL, 4, half(HeaderParser.IPV4), Family.IPV4.word)
                .jumpIf(Condition.EQUAL, 4, half(HeaderParser.IPV6), Family.IPV6.word)
                .jump("pass");
        for (Family each : Family.values()) {
            code.label(each.word);
            if (place.addresses.stream().noneMatch(each::has)) {
                code.jump("pass");
                continue;
            }
            new KernelCacheRequest(code, each, place, maps.control).write();
            findLine(each);
            spend(each);
            lengthen(each);
            writeIp(each);
            writeAnswer(each);
        }
        return code.label("over budget")
                .moveNumber(8, OVER_BUDGET)
                .moveNumber(7, XDP_PASS)
                .jump("count")
                .label("passed")
                .moveNumber(8, PASSED)
                .moveNumber(7, XDP_PASS)
                .label("count")
                .countAndExit(maps.counters)
                .label("broken")
                .moveNumber(0, XDP_DROP)
                .exit()
                .label("pass")
                .moveNumber(0, XDP_PASS)
                .exit()
                .assemble();
    }

    /** Copies what a line has to the stack; passes what is in none of the two, or has changed meanwhile. */
    private void findLine(Family family) {
        code.call(TIME).mapValue(1, maps.control).load(Size.DOUBLE, 2, 1, LEASE);
        passUnlessGreater(2, 0, family.word + " leased");
        code.store(Size.DOUBLE, STACK, NOW, 0)
                .load(Size.DOUBLE, 9, 1, CLOCK)
                .add(9, 0)
                .load(Size.DOUBLE, 2, 8, 0)
                .load(Size.DOUBLE, 3, 8, 8)
                .add(2, 3)
                .load(Size.WORD, 3, 8, 16)
                .add(2, 3);
        lookUp(maps.lines, maps.lineBits);
        String second = family.word + " second";
        String found = family.word + " found";
        readLine(second);
        code.jump(found)
                .label(second)
                .load(Size.WORD, 2, STACK, KEY)
                .moveNumber(3, 1)
                .exclusiveOr(2, 3)
                .store(Size.WORD, STACK, KEY, 2);
        lookUp(maps.lines);
        readLine("passed");
        code.label(found)
                .load(Size.HALF, 9, 7, KernelCacheLine.LENGTH)
                .jumpIf(Condition.EQUAL, 9, 0, "passed")
                .jumpIf(Condition.GREATER, 9, KernelCacheLine.PLACES_BYTES_MAX, "passed")
                .load(Size.HALF, 2, 7, KernelCacheLine.OPTIONS)
                .store(Size.DOUBLE, STACK, OPTIONS, 2)
                .load(Size.HALF, 2, 7, KernelCacheLine.SUM)
                .store(Size.DOUBLE, STACK, SUM, 2);
        String copied = family.word + " copied";
        for (int i = 0; i < KernelCacheLine.PLACES_BYTES_MAX; i += Long.BYTES) {
            if (i >= ONE_PLACE_BYTES && i - Long.BYTES < ONE_PLACE_BYTES) {
                code.jumpIf(Condition.EQUAL, 9, ONE_PLACE_BYTES, copied);
            }
            copy(Size.DOUBLE, 7, KernelCacheLine.PLACES + i, PLACES + i);
        }
        code.label(copied)
                .load(Size.WORD, 1, 7, KernelCacheLine.COUNTER)
                .load(Size.DOUBLE, 2, STACK, COUNT)
                .jumpIfRegister(Condition.NOT_EQUAL, 1, 2, "passed");
    }

    /** Has the line at register 0 in register 7, if it is the one for the GUID at register 8, and lasts. */
    private void readLine(String otherwise) {
        code.move(7, 0)
                .load(Size.WORD, 1, 7, KernelCacheLine.COUNTER)
                .jumpIf(Condition.ANY_BIT, 1, 1, otherwise)
                .store(Size.DOUBLE, STACK, COUNT, 1);
        for (int i = 0; i < Guid.BYTES; i += Long.BYTES) {
            Size size = Guid.BYTES - i < Long.BYTES ? Size.WORD : Size.DOUBLE;
            code.load(size, 2, 7, KernelCacheLine.GUID + i)
                    .load(size, 3, 8, i)
                    .jumpIfRegister(Condition.NOT_EQUAL, 2, 3, otherwise);
        }
        code.load(Size.DOUBLE, 2, 7, KernelCacheLine.END).jumpIfRegister(Condition.GREATER_OR_EQUAL, 9, 2, otherwise);
    }

    /** Passes answers that are too long, and those beyond the budget of the client's network. */
    private void spend(Family family) {
        code.move(7, 9)
                .addNumber(7, places(family) - family.message)
                .mapValue(1, maps.control)
                .load(Size.WORD, 2, 1, ANSWER_BYTES_MAX)
                .jumpIfRegister(Condition.GREATER, 7, 2, "passed")
                .load(Size.DOUBLE, 2, STACK, TAKEN)
                .jumpIfRegister(Condition.GREATER, 7, 2, "passed")
                .load(Size.WORD, 2, 1, AMPLIFICATION_MAX)
                .load(Size.DOUBLE, 3, STACK, ASKED)
                .multiply(3, 2)
                .jumpIfRegister(Condition.GREATER, 7, 3, "passed")
                .load(Size.DOUBLE, 8, 1, BUDGET)
                .load(Size.DOUBLE, 2, STACK, NETWORK);
        lookUp(maps.networks, NETWORK_BITS);
        String same = family.word + " same window";
        String within = family.word + " within";
        code.load(Size.DOUBLE, 1, STACK, NOW)
                .shiftRight(1, WINDOW_BITS)
                .load(Size.DOUBLE, 2, 0, 0)
                .load(Size.DOUBLE, 3, 0, 8)
                .jumpIfRegister(Condition.EQUAL, 1, 2, same)
                .store(Size.DOUBLE, 0, 0, 1)
                .moveNumber(3, 0)
                .label(same)
                .jumpIfRegister(Condition.GREATER, 8, 3, within)
                .jump("over budget")
                .label(within)
                .addNumber(3, 1)
                .store(Size.DOUBLE, 0, 8, 3);
    }

    /** Gives the frame the length of the answer, and its places; register 2 is its first byte again. */
    private void lengthen(Family family) {
        String known = family.word + " known";
        String longer = family.word + " longer";
        String filled = family.word + " filled";
        int places = places(family);
        code.load(Size.DOUBLE, 0, STACK, FRAME)
                .jumpIf(Condition.NOT_EQUAL, 0, 0, known)
                .move(1, 6)
                .call(FRAME_LENGTH)
                .label(known)
                .move(2, 7)
                .addNumber(2, family.message)
                .subtract(2, 0)
                .move(1, 6)
                .call(ADJUST_TAIL)
                .jumpIf(Condition.NOT_EQUAL, 0, 0, "passed")
                .jumpIf(Condition.NOT_EQUAL, 9, ONE_PLACE_BYTES, longer);
        loadFrame(places + ONE_PLACE_BYTES);
        for (int i = 0; i < ONE_PLACE_BYTES; i += Long.BYTES) {
            Size size = ONE_PLACE_BYTES - i < Long.BYTES ? Size.HALF : Size.DOUBLE;
            code.load(size, 4, STACK, PLACES + i).store(size, 2, places + i, 4);
        }
        code.jump(filled)
                .label(longer)
                .move(1, 6)
                .moveNumber(2, places)
                .move(3, STACK)
                .addNumber(3, PLACES)
                .move(4, 9)
                .call(STORE_BYTES)
                .jumpIf(Condition.NOT_EQUAL, 0, 0, "broken");
        loadFrame(places);
        code.label(filled);
    }

    private void loadFrame(int bytes) {
        code.load(Size.WORD, 2, 6, 0).load(Size.WORD, 3, 6, 4);
        KernelCacheRequest.need(code, bytes, "broken");
    }

    /** Writes all before UDP; the sum of both addresses is in register 8. */
    private void writeIp(Family family) {
        code.load(Size.WORD, 4, 2, 0)
                .load(Size.HALF, 5, 2, 4)
                .load(Size.WORD, 0, 2, 6)
                .load(Size.HALF, 1, 2, 10)
                .store(Size.WORD, 2, 0, 0)
                .store(Size.HALF, 2, 4, 1)
                .store(Size.WORD, 2, 6, 4)
                .store(Size.HALF, 2, 10, 5)
                .moveNumber(8, 0);
        for (int i = 0; i < family.addressBytes; i += Integer.BYTES) {
            code.load(Size.WORD, 0, 2, family.source + i)
                    .load(Size.WORD, 1, 2, family.destination() + i)
                    .store(Size.WORD, 2, family.source + i, 1)
                    .store(Size.WORD, 2, family.destination() + i, 0)
                    .add(8, 0)
                    .add(8, 1);
        }
        if (family == Family.IPV4) {
            lengthWith(4, Ipv4.BYTES + UDP_BYTES);
            code.move(5, 8)
                    .add(5, 4)
                    .addNumber(5, half(0x4500) + half(Ipv4.DONT_FRAGMENT) + half(TTL << 8 | HeaderParser.UDP))
                    .shiftLeft(4, 16)
                    .number(0, half(0x4500) | (long) half(Ipv4.DONT_FRAGMENT) << 48)
                    .or(4, 0)
                    .store(Size.DOUBLE, 2, 14, 4);
            fold();
            code.shiftLeft(1, 16).addNumber(1, half(TTL << 8 | HeaderParser.UDP)).store(Size.WORD, 2, 22, 1);
        } else {
            set(Size.WORD, 14, 0x60);
            lengthWith(4, UDP_BYTES);
            code.store(Size.HALF, 2, 18, 4);
            set(Size.HALF, 20, half(HeaderParser.UDP << 8 | TTL));
        }
    }

    /**
     * Writes the datagram, and sends it. Sums are made in registers, in wide stores: the processor would wait for narrow ones, before a
     * wide load.
     */
    private void writeAnswer(Family family) {
        int message = family.message;
        int origin = originBytes(family);
        int payload = GnrsWire.ORIGIN + origin;
        int originType = (origin == Family.IPV4.originBytes ? Family.IPV4 : Family.IPV6).originType.code();
        // The pseudo header, ports and lengths of UDP.
        lengthWith(4, UDP_BYTES);
        code.load(Size.DOUBLE, 0, STACK, PORT)
                .load(Size.DOUBLE, 5, STACK, SUM)
                .add(5, 8)
                .add(5, 4)
                .add(5, 4)
                .add(5, 0)
                .addNumber(5, half(HeaderParser.UDP) + half(place.port))
                .shiftLeft(4, 32)
                .shiftLeft(0, 16)
                .or(4, 0)
                .addNumber(4, half(place.port))
                .move(8, 4);
        // Type, length, id.
        lengthWith(4, 0);
        code.load(Size.WORD, 0, 2, message + Integer.BYTES)
                .add(5, 4)
                .add(5, 0)
                .addNumber(5, half(GnrsWire.LOOKUP_RESPONSE))
                .shiftLeft(4, 16)
                .shiftLeft(0, 32)
                .or(4, 0)
                .addNumber(4, half(GnrsWire.LOOKUP_RESPONSE))
                .store(Size.DOUBLE, 2, message, 4);
        // Offsets, and what origin there is.
        code.load(Size.DOUBLE, 4, STACK, OPTIONS)
                .addNumber(4, payload + GnrsWire.CODE_BYTES)
                .bigEndian(4, 16)
                .add(5, 4)
                .addNumber(5, half(payload) + half(originType) + half(origin))
                .number(0, Long.reverseBytes(GnrsWire.offsets(0, originType, origin)))
                .or(4, 0)
                .store(Size.DOUBLE, 2, message + GnrsWire.OPTIONS_OFFSET, 4);
        writeOrigin(family);
        set(Size.WORD, message + payload, 0);
        fold();
        String summed = family.word + " summed";
        code.jumpIf(Condition.NOT_EQUAL, 1, 0, summed)
                .moveNumber(1, 0xffff)
                .label(summed)
                .shiftLeft(1, 48)
                .or(8, 1)
                .store(Size.DOUBLE, 2, message - UDP_BYTES, 8)
                .moveNumber(8, ANSWERED)
                .moveNumber(7, XDP_TX)
                .jump("count");
    }

    /** Writes it, and adds it to the sum in register 5. */
    private void writeOrigin(Family family) {
        int at = family.message + GnrsWire.ORIGIN;
        if (place.advertised.isEmpty()) {
            // Its source is this server by now.
            for (int i = 0; i < family.addressBytes; i += Integer.BYTES) {
                code.load(Size.WORD, 4, 2, family.source + i).store(Size.WORD, 2, at + i, 4).add(5, 4);
            }
            set(Size.HALF, at + family.addressBytes, half(place.port));
            code.addNumber(5, half(place.port));
            return;
        }
        InetSocketAddress advertised = place.advertised.get();
        byte[] address = advertised.getAddress().getAddress();
        int sum = half(advertised.getPort());
        for (int i = 0; i < address.length; i += Short.BYTES) {
            int two = half((address[i] & 0xff) << 8 | address[i + 1] & 0xff);
            set(Size.HALF, at + i, two);
            sum += two;
        }
        set(Size.HALF, at + address.length, half(advertised.getPort()));
        code.addNumber(5, sum);
    }

    private int originBytes(Family family) {
        return place.advertised.map(each -> each.getAddress().getAddress().length + 2).orElse(family.originBytes);
    }

    /** Returns where the places stand in a frame with an answer. */
    private int places(Family family) {
        return family.message + GnrsWire.ORIGIN + originBytes(family) + GnrsWire.CODE_BYTES;
    }

    /** Finds the element of register 2, hashed: its address is in register 0. */
    private void lookUp(int map, int bits) {
        code.number(3, maps.secret).multiply(2, 3).shiftRight(2, Long.SIZE - bits).store(Size.WORD, STACK, KEY, 2);
        lookUp(map);
    }

    private void lookUp(int map) {
        code.map(1, map).move(2, STACK).addNumber(2, KEY).call(MAP_LOOKUP).jumpIf(Condition.EQUAL, 0, 0, "passed");
    }

    private void passUnlessGreater(int register, int other, String label) {
        code.jumpIfRegister(Condition.GREATER, register, other, label).jump("passed").label(label);
    }

    /** Copies to the stack. */
    private void copy(Size size, int base, int from, int to) {
        code.load(size, 4, base, from).store(size, STACK, to, 4);
    }

    /** Sets a field of the frame to a number as a load in the processor's order sees it. */
    private void set(Size size, int at, int value) {
        code.moveNumber(4, value).store(size, 2, at, 4);
    }

    /** Sets a register to the length of the answer and what stands before it, as a load in the processor's order sees it. */
    private void lengthWith(int register, int before) {
        code.move(register, 7).addNumber(register, before).bigEndian(register, 16);
    }

    /** Makes a checksum of the sum in register 5, of less than 40 bits; it is in register 1. */
    private void fold() {
        for (int i = 0; i < 3; i++) {
            code.move(1, 5).shiftRight(1, 16).andNumber(5, 0xffff).add(5, 1);
        }
        code.moveNumber(1, 0xffff).subtract(1, 5);
    }
}
