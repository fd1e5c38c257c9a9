package io.guidepost.packet.bpf;

import static io.guidepost.packet.bpf.BpfAssembler.MAP_LOOKUP;
import static io.guidepost.packet.bpf.BpfAssembler.half;

import io.guidepost.packet.bpf.BpfAssembler.Condition;
import io.guidepost.packet.bpf.BpfAssembler.Size;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.Ipv4;
import io.guidepost.packet.frame.Ipv6;
import io.guidepost.packet.frame.Tcp;
import io.guidepost.packet.frame.Udp;

/**
 * The eBPF program that the kernel runs on each packet that leaves by an interface without an Ethernet header, such as a TUN device: one
 * whose headers are in the table gets others, is counted, and comes in by the same interface, as if the program behind the device had
 * written it. All others, and segments with SYN, FIN or RST, go on to the device.
 *
 * <pre>
 *  key, 40 bytes:  0 source   16 destination, as addresses of IPv6   32 ports   36 protocol (8)   37 flow label, low 16 behind 8 unread
 *  row, 128 bytes, see {@link #ADDRESSES} and the next ones; the key stands at its end
 *  registers: 6 context   7 row   8 bytes of the IP header   9 protocol
 *  stack: key, then what is written; headers of IP and of TCP or UDP
 *  struct __sk_buff: 0 length   16 protocol   164 segments
 * </pre>
 */
final class TcxProgram {
    /** Of a row: the addresses that the packet gets, two of IPv6 or two of IPv4. */
    static final int ADDRESSES = 0;

    /** Of a row: the ports that it gets. */
    static final int PORTS = 32;

    /** Of a row: the flow label that it gets, 16 bits of 32, as they stand in a header. */
    static final int LABEL = 36;

    /** Of a row: what the addresses change in the checksum, in the processor's order. */
    static final int CHANGE = 40;

    /** Of a row: the same of the ports. */
    static final int PORTS_CHANGE = 44;

    /** Of a row: whether the packet becomes one of IPv4. */
    static final int TO_IPV4 = 48;

    /** Of a row: the sum of what is the same in the header of each packet that becomes one of IPv4. */
    static final int IPV4_SUM = 52;

    /** Of a row: whether ports change. */
    static final int HAS_PORTS = 56;

    /** Of a row: packets, or segments of these. */
    static final int PACKETS = 64;

    /** Of a row: their bytes. */
    static final int BYTES = 72;

    /** Of a row of TCP: the highest sequence number, behind the data. */
    static final int NEXT = 80;

    /** Of a row of TCP: the highest acknowledgment number. */
    static final int ACKNOWLEDGMENT = 84;

    /** Of a row: its key. */
    static final int KEY = 88;

    static final int KEY_BYTES = 40;
    static final int ROW_BYTES = KEY + KEY_BYTES;

    private static final int STACK = 10;
    private static final int WRITTEN = -KEY_BYTES;
    private static final int IP = WRITTEN - 64;
    private static final int TRANSPORT = IP + Ipv6.BYTES;

    private static final int SKB_LENGTH = 0;
    private static final int SKB_PROTOCOL = 16;
    private static final int SKB_SEGMENTS = 164;

    private static final int STORE_BYTES = 9;
    private static final int CHECKSUM_REPLACE = 11;
    private static final int REDIRECT = 23;
    private static final int LOAD_BYTES = 26;
    private static final int CHANGE_PROTOCOL = 31;

    /** BPF_F_RECOMPUTE_CSUM: a sum that a device has computed over the packet stays right. */
    private static final int RECOMPUTE = 1;

    /** BPF_F_PSEUDO_HDR: what changes is in a checksum that is yet to be completed, too. */
    private static final int PSEUDO_HEADER = 0x10;

    /** BPF_F_MARK_MANGLED_0: a checksum of UDP does not become 0. */
    private static final int NOT_ZERO = 0x20;

    private static final int INGRESS = 1;
    private static final int TCX_NEXT = -1;
    private static final int TCX_DROP = 2;

    private final BpfAssembler code = new BpfAssembler();

    private TcxProgram() {}

    /**
     * Returns the instructions.
     *
     * @param device index of the interface
     * @param unlabelled first half of the addresses to which packets of IPv6 have any flow label
     */
    static long[] instructions(int keys, int rows, int device, long unlabelled) {
        TcxProgram program = new TcxProgram();
        program.writeRead(unlabelled);
        program.writeFind(keys, rows);
        program.writeCount();
        program.writeIpv6();
        program.writeIpv4();
        program.writeChecksum();
        return program.code
                .label("redirect")
                .moveNumber(1, device)
                .moveNumber(2, INGRESS)
                .call(REDIRECT)
                .exit()
                .label("drop")
                .moveNumber(0, TCX_DROP)
                .exit()
                .label("pass")
                .moveNumber(0, TCX_NEXT)
                .exit()
                .assemble();
    }

    /** Reads the headers, and makes the key. */
    private void writeRead(long unlabelled) {
        code.move(6, 1)
                .load(Size.WORD, 2, 6, SKB_PROTOCOL)
                .jumpIf(Condition.EQUAL, 2, half(HeaderParser.IPV6), "ipv6")
                .jumpIf(Condition.NOT_EQUAL, 2, half(HeaderParser.IPV4), "pass")
                .moveNumber(2, 0);
        read(IP, Ipv4.BYTES);
        code.load(Size.BYTE, 2, STACK, IP)
                .jumpIf(Condition.NOT_EQUAL, 2, 0x45, "pass")
                .load(Size.HALF, 2, STACK, IP + 6)
                .jumpIf(Condition.ANY_BIT, 2, half(0x3fff), "pass")
                .moveNumber(2, 0)
                .store(Size.DOUBLE, STACK, WRITTEN, 2)
                .store(Size.DOUBLE, STACK, WRITTEN + 16, 2)
                .moveNumber(2, Integer.reverseBytes(0xffff))
                .store(Size.WORD, STACK, WRITTEN + 8, 2)
                .store(Size.WORD, STACK, WRITTEN + 24, 2);
        copy(Size.WORD, IP + 12, WRITTEN + 12);
        copy(Size.WORD, IP + 16, WRITTEN + 28);
        code.load(Size.BYTE, 9, STACK, IP + 9)
                .moveNumber(8, Ipv4.BYTES)
                .move(2, 9)
                .jump("transport")
                .label("ipv6")
                .moveNumber(2, 0);
        read(IP, Ipv6.BYTES);
        for (int i = 0; i < 32; i += Long.BYTES) {
            copy(Size.DOUBLE, IP + 8 + i, WRITTEN + i);
        }
        code.load(Size.BYTE, 9, STACK, IP + 6)
                .moveNumber(8, Ipv6.BYTES)
                .move(2, 9)
                .load(Size.DOUBLE, 3, STACK, WRITTEN + 16)
                .number(4, Long.reverseBytes(unlabelled))
                .jumpIfRegister(Condition.EQUAL, 3, 4, "transport")
                .load(Size.WORD, 3, STACK, IP)
                .andNumber(3, Integer.reverseBytes(0x000f_ffff))
                .or(2, 3)
                .label("transport")
                .store(Size.WORD, STACK, WRITTEN + 36, 2)
                .jumpIf(Condition.EQUAL, 9, HeaderParser.TCP, "tcp")
                .jumpIf(Condition.NOT_EQUAL, 9, HeaderParser.UDP, "pass")
                .move(2, 8);
        read(TRANSPORT, Udp.BYTES);
        code.load(Size.HALF, 2, STACK, TRANSPORT + Udp.CHECKSUM)
                .jumpIf(Condition.EQUAL, 2, 0, "pass")
                .jump("find")
                .label("tcp")
                .move(2, 8);
        read(TRANSPORT, Tcp.BYTES);
        code.load(Size.BYTE, 2, STACK, TRANSPORT + 13)
                .jumpIf(Condition.ANY_BIT, 2, Tcp.SYN | Tcp.FIN | Tcp.RST, "pass")
                .label("find");
        copy(Size.WORD, TRANSPORT, WRITTEN + 32);
    }

    private void writeFind(int keys, int rows) {
        lookUp(keys);
        code.load(Size.WORD, 2, 0, 0).store(Size.WORD, STACK, WRITTEN, 2);
        lookUp(rows);
        code.move(7, 0);
    }

    private void lookUp(int map) {
        code.map(1, map)
                .move(2, STACK)
                .addNumber(2, WRITTEN)
                .call(MAP_LOOKUP)
                .jumpIf(Condition.EQUAL, 0, 0, "pass");
    }

    private void writeCount() {
        code.load(Size.WORD, 2, 6, SKB_SEGMENTS)
                .jumpIf(Condition.NOT_EQUAL, 2, 0, "many")
                .moveNumber(2, 1)
                .label("many")
                .atomicAdd(7, PACKETS, 2)
                .load(Size.WORD, 3, 6, SKB_LENGTH)
                .atomicAdd(7, BYTES, 3)
                .jumpIf(Condition.NOT_EQUAL, 9, HeaderParser.TCP, "write")
                .load(Size.BYTE, 2, STACK, TRANSPORT + 12)
                .shiftRight(2, 4)
                .shiftLeft(2, 2)
                .subtract(3, 2)
                .subtract(3, 8)
                .load(Size.WORD, 4, STACK, TRANSPORT + 4)
                .bigEndian(4, 32)
                .add(4, 3);
        keepHigher(NEXT, "next");
        code.load(Size.WORD, 4, STACK, TRANSPORT + 8).bigEndian(4, 32);
        keepHigher(ACKNOWLEDGMENT, "acknowledgment");
        code.label("write");
    }

    /** Stores register 4 if it is behind what stands in the row. */
    private void keepHigher(int field, String name) {
        code.load(Size.WORD, 5, 7, field)
                .move(2, 4)
                .subtract(2, 5)
                .jumpIfWord(Condition.SIGNED_GREATER, 2, 0, name)
                .jump(name + " stays")
                .label(name)
                .store(Size.WORD, 7, field, 4)
                .label(name + " stays");
    }

    /** Makes the packet one of IPv6 with other addresses. */
    private void writeIpv6() {
        code.load(Size.WORD, 2, 7, TO_IPV4)
                .jumpIf(Condition.NOT_EQUAL, 2, 0, "to ipv4")
                .jumpIf(Condition.EQUAL, 8, Ipv6.BYTES, "stays ipv6")
                // Version, traffic class, flow label; length, next header, hop limit.
                .load(Size.BYTE, 2, STACK, IP + 1)
                .move(3, 2)
                .shiftRight(3, 4)
                .addNumber(3, 0x60)
                .store(Size.BYTE, STACK, WRITTEN, 3)
                .shiftLeft(2, 4)
                .store(Size.BYTE, STACK, WRITTEN + 1, 2)
                .load(Size.HALF, 2, 7, LABEL + 2)
                .store(Size.HALF, STACK, WRITTEN + 2, 2)
                .load(Size.HALF, 2, STACK, IP + 2)
                .bigEndian(2, 16)
                .addNumber(2, -Ipv4.BYTES)
                .bigEndian(2, 16)
                .store(Size.HALF, STACK, WRITTEN + 4, 2)
                .store(Size.BYTE, STACK, WRITTEN + 6, 9);
        copy(Size.BYTE, IP + 8, WRITTEN + 7);
        changeProtocol(HeaderParser.IPV6);
        writeBytes(0, STACK, WRITTEN, 8);
        code.moveNumber(8, Ipv6.BYTES)
                .jump("addresses")
                .label("stays ipv6")
                .load(Size.WORD, 2, STACK, IP)
                .andNumber(2, Integer.reverseBytes(0xfff0_0000))
                .load(Size.WORD, 3, 7, LABEL)
                .or(2, 3)
                .store(Size.WORD, STACK, WRITTEN, 2);
        writeBytes(0, STACK, WRITTEN, 4);
        code.label("addresses");
        writeBytes(8, 7, ADDRESSES, 32);
        code.jump("checksum");
    }

    /** Makes the packet one of IPv4. */
    private void writeIpv4() {
        code.label("to ipv4")
                .jumpIf(Condition.NOT_EQUAL, 8, Ipv6.BYTES, "pass")
                .moveNumber(2, 0x45)
                .store(Size.BYTE, STACK, WRITTEN, 2)
                .load(Size.HALF, 2, STACK, IP)
                .bigEndian(2, 16)
                .shiftRight(2, 4)
                .andNumber(2, 0xff)
                .store(Size.BYTE, STACK, WRITTEN + 1, 2)
                .load(Size.HALF, 3, STACK, IP + 4)
                .bigEndian(3, 16)
                .addNumber(3, Ipv4.BYTES)
                .load(Size.BYTE, 4, STACK, IP + 7)
                .store(Size.BYTE, STACK, WRITTEN + 8, 4)
                .store(Size.BYTE, STACK, WRITTEN + 9, 9)
                .load(Size.WORD, 5, 7, IPV4_SUM)
                .add(5, 2)
                .add(5, 3)
                .shiftLeft(4, 8)
                .add(5, 4);
        for (int i = 0; i < 2; i++) {
            code.move(1, 5).shiftRight(1, 16).andNumber(5, 0xffff).add(5, 1);
        }
        code.moveNumber(1, 0xffff)
                .subtract(1, 5)
                .bigEndian(1, 16)
                .store(Size.HALF, STACK, WRITTEN + 10, 1)
                .bigEndian(3, 16)
                .store(Size.HALF, STACK, WRITTEN + 2, 3)
                .moveNumber(1, half(Ipv4.DONT_FRAGMENT) << 16)
                .store(Size.WORD, STACK, WRITTEN + 4, 1)
                .load(Size.WORD, 1, 7, ADDRESSES)
                .store(Size.WORD, STACK, WRITTEN + 12, 1)
                .load(Size.WORD, 1, 7, ADDRESSES + 4)
                .store(Size.WORD, STACK, WRITTEN + 16, 1);
        changeProtocol(HeaderParser.IPV4);
        writeBytes(0, STACK, WRITTEN, Ipv4.BYTES);
        code.moveNumber(8, Ipv4.BYTES);
    }

    private void writeChecksum() {
        code.label("checksum").load(Size.WORD, 4, 7, CHANGE);
        replaceChecksum(PSEUDO_HEADER, "addresses");
        code.load(Size.WORD, 2, 7, HAS_PORTS)
                .jumpIf(Condition.EQUAL, 2, 0, "redirect")
                .move(1, 6)
                .move(2, 8)
                .move(3, 7)
                .addNumber(3, PORTS)
                .moveNumber(4, Integer.BYTES)
                .moveNumber(5, 0)
                .call(STORE_BYTES)
                .jumpIf(Condition.NOT_EQUAL, 0, 0, "drop")
                .load(Size.WORD, 4, 7, PORTS_CHANGE);
        replaceChecksum(0, "ports");
    }

    /** Applies the change in register 4 to the checksum of TCP or UDP. */
    private void replaceChecksum(int flags, String name) {
        code.move(1, 6)
                .move(2, 8)
                .addNumber(2, Tcp.CHECKSUM)
                .moveNumber(3, 0)
                .moveNumber(5, flags)
                .jumpIf(Condition.EQUAL, 9, HeaderParser.TCP, name + " of tcp")
                .addNumber(2, Udp.CHECKSUM - Tcp.CHECKSUM)
                .moveNumber(5, flags | NOT_ZERO)
                .label(name + " of tcp")
                .call(CHECKSUM_REPLACE)
                .jumpIf(Condition.NOT_EQUAL, 0, 0, "drop");
    }

    /** Reads bytes of the packet, from where register 2 says, to the stack. */
    private void read(int to, int bytes) {
        code.move(1, 6)
                .move(3, STACK)
                .addNumber(3, to)
                .moveNumber(4, bytes)
                .call(LOAD_BYTES)
                .jumpIf(Condition.NOT_EQUAL, 0, 0, "pass");
    }

    private void copy(Size size, int from, int to) {
        code.load(size, 2, STACK, from).store(size, STACK, to, 2);
    }

    private void changeProtocol(int type) {
        // A packet that the kernel does not change is as it was, and the program behind the device does it.
        code.move(1, 6)
                .moveNumber(2, half(type))
                .moveNumber(3, 0)
                .call(CHANGE_PROTOCOL)
                .jumpIf(Condition.NOT_EQUAL, 0, 0, "pass");
    }

    private void writeBytes(int at, int base, int offset, int bytes) {
        code.move(1, 6)
                .moveNumber(2, at)
                .move(3, base)
                .addNumber(3, offset)
                .moveNumber(4, bytes)
                .moveNumber(5, RECOMPUTE)
                .call(STORE_BYTES)
                .jumpIf(Condition.NOT_EQUAL, 0, 0, "drop");
    }
}
