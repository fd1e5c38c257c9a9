package io.guidepost.bench.packet;

import static io.guidepost.packet.bpf.BpfAssembler.half;

import io.guidepost.packet.bpf.BpfAssembler;
import io.guidepost.packet.bpf.BpfAssembler.Condition;
import io.guidepost.packet.bpf.BpfAssembler.Size;
import io.guidepost.packet.bpf.BpfCalls;
import io.guidepost.packet.bpf.XdpLink;
import io.guidepost.packet.frame.HeaderParser;
import java.io.IOException;
import java.net.NetworkInterface;

/** A program that sends each UDP datagram over IPv4 back to where it came from, as it is: what an interface costs without any look-up. */
final class BounceProgram {
    private static final int XDP_PASS = 2;
    private static final int XDP_TX = 3;

    private BounceProgram() {}

    /** Puts it on an interface of this thread's namespace, until this process ends. */
    static XdpLink attach(String device, XdpLink.Mode mode) throws IOException {
        int program = XdpLink.checked(BpfCalls.load(BpfCalls.XDP, instructions(), "bounce", device), "the program", device);
        return XdpLink.attach(program, NetworkInterface.getByName(device).getIndex(), device, mode, device);
    }

    private static long[] instructions() {
        BpfAssembler code = new BpfAssembler()
                .load(Size.WORD, 2, 1, 0)
                .load(Size.WORD, 3, 1, 4)
                .move(4, 2)
                .addNumber(4, 42)
                .jumpIfRegister(Condition.GREATER, 4, 3, "pass")
                .load(Size.HALF, 4, 2, 12)
                .jumpIf(Condition.NOT_EQUAL, 4, half(HeaderParser.IPV4), "pass")
                .load(Size.BYTE, 4, 2, 23)
                .jumpIf(Condition.NOT_EQUAL, 4, HeaderParser.UDP, "pass");
        swap(code, Size.WORD, 0, 6);
        swap(code, Size.HALF, 4, 10);
        swap(code, Size.WORD, 26, 30);
        swap(code, Size.HALF, 34, 36);
        return code.moveNumber(0, XDP_TX).exit().label("pass").moveNumber(0, XDP_PASS).exit().assemble();
    }

    private static void swap(BpfAssembler code, Size size, int one, int other) {
        code.load(size, 4, 2, one).load(size, 5, 2, other).store(size, 2, other, 4).store(size, 2, one, 5);
    }
}
