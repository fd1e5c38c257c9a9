package io.guidepost.packet.xdp;

import static io.guidepost.packet.bpf.BpfAssembler.half;

import io.guidepost.base.Address;
import io.guidepost.packet.bpf.BpfAssembler;
import io.guidepost.packet.bpf.BpfAssembler.Condition;
import io.guidepost.packet.bpf.BpfAssembler.Size;
import io.guidepost.packet.frame.HeaderParser;

/**
 * The eBPF program that the kernel runs on each received frame: it redirects frames that {@link XdpRedirect} selects to
 * the socket of their queue, and passes the others to the kernel. Where a queue has no socket it drops or passes them. It
 * counts all three.
 *
 * <p>Frames with VLAN tags, fragments, and UDP behind IPv6 extension headers go to the kernel unless everything or
 * their address is redirected: their port number is not at a fixed offset.
 *
 * <pre>
 *  registers: 1 context, at first   2 first byte of the frame   3 behind its last   6 context   7 verdict   8 counter
 *  struct xdp_md: 0 first byte   4 behind the last   16 number of the receive queue
 * </pre>
 */
final class RedirectProgram {
    /** Elements of the map of counters. */
    static final int PASSED = 0;

    static final int REDIRECTED = 1;

    static final int DROPPED = 2;

    static final int COUNTERS = 3;

    private static final int XDP_DROP = 1;
    private static final int XDP_PASS = 2;
    private static final int XDP_REDIRECT = 4;
    private static final int REDIRECT_MAP = 51;

    /** The shortest frame that can match: ARP, and UDP over IPv4. */
    private static final int FRAME_BYTES_MIN = 42;

    private static final int ETHERTYPE = 12;
    private static final int IPV4_FRAGMENT = 20;
    private static final int IPV4_PROTOCOL = 23;
    private static final int IPV4_DESTINATION = 30;
    private static final int ARP_TARGET = 38;
    private static final int IPV6_NEXT = 20;
    private static final int IPV6_DESTINATION = 38;
    private static final int IPV6_PAYLOAD = 54;
    private static final int SOLICITATION = 135;
    private static final int SOLICITATION_TARGET = IPV6_PAYLOAD + 8;
    private static final int SOLICITATION_END = SOLICITATION_TARGET + 16;

    private final XdpRedirect redirect;
    private final BpfAssembler code = new BpfAssembler();

    private RedirectProgram(XdpRedirect redirect) {
        this.redirect = redirect;
    }

    /**
     * Returns the instructions.
     *
     * @param dropsRest whether frames on queues without a socket are dropped; else the kernel gets them
     */
    static long[] instructions(XdpRedirect redirect, boolean dropsRest, int sockets, int counters) {
        return new RedirectProgram(redirect).write(dropsRest, sockets, counters);
    }

    private long[] write(boolean dropsRest, int sockets, int counters) {
        code.move(6, 1);
        if (!redirect.everything()) {
            writeFilter();
        }
        code.label("take")
                .map(1, sockets)
                .load(Size.WORD, 2, 6, 16)
                .moveNumber(3, dropsRest ? XDP_DROP : XDP_PASS)
                .call(REDIRECT_MAP)
                .move(7, 0)
                .moveNumber(8, dropsRest ? DROPPED : PASSED)
                .jumpIf(Condition.NOT_EQUAL, 7, XDP_REDIRECT, "count")
                .moveNumber(8, REDIRECTED)
                .jump("count");
        if (!redirect.everything()) {
            code.label("pass").moveNumber(7, XDP_PASS).moveNumber(8, PASSED);
        }
        return code.label("count").countAndExit(counters).assemble();
    }

    private void writeFilter() {
        code.load(Size.WORD, 2, 1, 0).load(Size.WORD, 3, 1, 4);
        need(FRAME_BYTES_MIN, "pass");
        code.load(Size.HALF, 4, 2, ETHERTYPE)
                .jumpIf(Condition.EQUAL, 4, half(HeaderParser.IPV4), "ipv4")
                .jumpIf(Condition.EQUAL, 4, half(HeaderParser.IPV6), "ipv6")
                .jumpIf(Condition.NOT_EQUAL, 4, half(HeaderParser.ARP), "pass")
                .load(Size.WORD, 5, 2, ARP_TARGET);
        writeIpv4Addresses();
        code.jump("pass").label("ipv4").load(Size.WORD, 5, 2, IPV4_DESTINATION);
        writeIpv4Addresses();
        writeIpv4Ports();
        code.jump("pass").label("ipv6");
        need(IPV6_PAYLOAD + 8, "pass");
        writeIpv6Addresses(IPV6_DESTINATION, "destination");
        writeIpv6Ports();
        if (!redirect.ipv6().isEmpty()) {
            code.load(Size.BYTE, 4, 2, IPV6_NEXT).jumpIf(Condition.NOT_EQUAL, 4, HeaderParser.ICMPV6, "pass");
            need(SOLICITATION_END, "pass");
            code.load(Size.BYTE, 4, 2, IPV6_PAYLOAD).jumpIf(Condition.NOT_EQUAL, 4, SOLICITATION, "pass");
            writeIpv6Addresses(SOLICITATION_TARGET, "target");
        }
        code.jump("pass");
    }

    /** Jumps to the label if the frame has fewer bytes. */
    private void need(int bytes, String otherwise) {
        code.move(4, 2).addNumber(4, bytes).jumpIfRegister(Condition.GREATER, 4, 3, otherwise);
    }

    private void writeIpv4Addresses() {
        for (int address : redirect.ipv4()) {
            code.jumpIfWord(Condition.EQUAL, 5, Integer.reverseBytes(address), "take");
        }
    }

    private void writeIpv4Ports() {
        if (redirect.udpPorts().isEmpty()) {
            return;
        }
        code.load(Size.BYTE, 5, 2, IPV4_PROTOCOL)
                .jumpIf(Condition.NOT_EQUAL, 5, HeaderParser.UDP, "pass")
                .load(Size.HALF, 5, 2, IPV4_FRAGMENT)
                .jumpIf(Condition.ANY_BIT, 5, half(0x3fff), "pass")
                .load(Size.BYTE, 5, 2, 14)
                .andNumber(5, 0x0f)
                .shiftLeft(5, 2)
                .move(4, 2)
                .add(4, 5)
                .move(5, 4)
                .addNumber(5, 14 + 8)
                .jumpIfRegister(Condition.GREATER, 5, 3, "pass")
                .load(Size.HALF, 5, 4, 14 + 2);
        writePorts();
    }

    private void writeIpv6Ports() {
        if (redirect.udpPorts().isEmpty()) {
            return;
        }
        code.load(Size.BYTE, 5, 2, IPV6_NEXT)
                .jumpIf(Condition.NOT_EQUAL, 5, HeaderParser.UDP, "solicitation")
                .load(Size.HALF, 5, 2, IPV6_PAYLOAD + 2);
        writePorts();
        code.label("solicitation");
    }

    private void writePorts() {
        for (int port : redirect.udpPorts()) {
            code.jumpIf(Condition.EQUAL, 5, half(port), "take");
        }
    }

    private void writeIpv6Addresses(int offset, String place) {
        if (redirect.ipv6().isEmpty()) {
            return;
        }
        code.load(Size.DOUBLE, 4, 2, offset).load(Size.DOUBLE, 5, 2, offset + 8);
        int number = 0;
        for (Address address : redirect.ipv6()) {
            String next = place + number++;
            code.number(0, Long.reverseBytes(address.high()))
                    .jumpIfRegister(Condition.NOT_EQUAL, 4, 0, next)
                    .number(0, Long.reverseBytes(address.low()))
                    .jumpIfRegister(Condition.EQUAL, 5, 0, "take")
                    .label(next);
        }
    }
}
