package io.guidepost.bench.handle;

import io.guidepost.base.Malformed;
import io.guidepost.bench.load.StreamLoadGenerator;
import io.guidepost.bench.load.UdpLoadGenerator;
import io.guidepost.bench.process.BenchFailure;
import io.guidepost.bench.process.ProcessMeter;
import io.guidepost.bench.process.ProcessPinning;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.BenchTarget;
import io.guidepost.bench.scene.CBaseline;
import io.guidepost.bench.scene.MedianSpread;
import io.guidepost.bench.scene.ReadinessProbe;
import io.guidepost.bench.scene.RunningServerCommand;
import io.guidepost.bench.scene.VersusOptions;
import io.guidepost.handle.client.ClientIdentity;
import io.guidepost.handle.message.OpFlag;
import io.guidepost.handle.value.ValueReference;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures running Handle servers. */
@Command(
        name = "handle",
        description = {
            "Measures a running Handle server, or two that alternate, over one transport at a time.",
            "A closed loop keeps a window of outstanding requests. For http-json and http-native the address is that of",
            "the server's HTTP port.",
            "",
            "Example: ./guidepost bench handle 127.0.0.1:2641 --handle 20.500.1/1 --vs 127.0.0.1:22641 --c"
        },
        mixinStandardHelpOptions = true)
public final class HandleBenchCommand extends RunningServerCommand {
    /** Transports of requests. */
    public enum Way {
        UDP,
        TCP,
        TCP_KEEPALIVE,
        HTTP_JSON,
        HTTP_NATIVE,
        CREATE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    private static final int UDP_OUTSTANDING = 64;
    private static final int STREAM_OUTSTANDING = 32;
    private static final int PACKET_BYTES_MAX = 512;
    private static final int ANSWER_MILLIS_MAX = 2000;
    private static final int ENVELOPE_BYTES = 20;
    private static final Pattern CONTENT_LENGTH = Pattern.compile("(?i)\r\ncontent-length: *(\\d+)");

    @Mixin
    private VersusOptions versus = new VersusOptions();

    @Option(names = "--c", description = "One more contestant, except for create: a C program with one prepared response.")
    private boolean baseline;

    @Option(
            names = "--way",
            paramLabel = "WAY",
            description = "udp, tcp (a connection per request), tcp-keepalive, http-json, http-native, create"
                    + " (default ${DEFAULT-VALUE}).")
    private String wayName = "udp";

    @Option(names = "--handle", paramLabel = "HANDLE", description = "Handle to resolve, or prefix of the handles to create.")
    private String handle = "1234/1";

    @Option(
            names = "--records",
            paramLabel = "N",
            description = "With more than one, HANDLE0 to HANDLEn-1 are resolved, as --way create creates them.")
    private int records = 1;

    @Option(names = "--identity", paramLabel = "INDEX:HANDLE", description = "Identity that creates.")
    private String identity = "";

    @Option(names = "--secret", paramLabel = "TEXT", description = "Its secret key.")
    private String secret = "";

    @Option(
            names = "--outstanding",
            paramLabel = "N",
            description = "Outstanding requests; default " + UDP_OUTSTANDING + " over UDP, else "
                    + STREAM_OUTSTANDING + ".")
    private int outstanding;

    @Option(names = "--c-cpu", paramLabel = "N", description = "Processor of the C program; -1 = any (default).")
    private int baselineCpu = ProcessPinning.ANYWHERE;

    @Override
    protected void prepare(BenchStage stage) throws IOException {
        Way way = way();
        BenchTarget.Running first = target();
        add(stage, first, way, first.pid());
        versus.target().ifPresent(second -> add(stage, second, way, second.pid()));
        if (baseline && way != Way.CREATE) {
            CBaseline third = stage.keep(CBaseline.ofHandles(
                    baselineCpu, stage.folder(), way.toString(), answer(way, first.address())));
            add(stage, third, way, third.pid());
        }
    }

    @Override
    protected String title() {
        Way way = way();
        return "Handles over " + way + " with " + waiting(way) + " outstanding, " + MedianSpread.number(records)
                + (records == 1 ? " handle" : " handles");
    }

    private Way way() {
        return Arrays.stream(Way.values())
                .filter(each -> each.toString().equals(wayName))
                .findFirst()
                .orElseThrow(() -> new BenchFailure("'" + wayName + "' is no transport; there are " + Arrays.toString(Way.values())));
    }

    private int waiting(Way way) {
        int usual = way == Way.UDP ? UDP_OUTSTANDING : STREAM_OUTSTANDING;
        return outstanding > 0 ? outstanding : usual;
    }

    /**
     * Returns the meter of a server; its threads come and go with connections, so it uses the account of the process.
     */
    private static LongSupplier meter(long pid) {
        return pid > 0 ? new ProcessMeter(pid)::ticksNanos : () -> ProcessMeter.UNKNOWN;
    }

    private void add(BenchStage stage, BenchTarget target, Way way, long process) {
        switch (way) {
            case UDP -> {
                UdpLoadGenerator load = new UdpLoadGenerator(
                        stage.port(new InetSocketAddress(ReadinessProbe.localAddressTo(target.address()), 0)),
                        target.address(),
                        questions(way),
                        waiting(way),
                        meter(process));
                add(stage, target.name(), load::run, 0.3);
            }
            case TCP, TCP_KEEPALIVE, HTTP_JSON, HTTP_NATIVE -> {
                CStreamGenerator load = new CStreamGenerator(
                        stage.folder(), target.address(), process, way, questions(way), waiting(way));
                add(stage, target.name(), load::run, 1);
            }
            case CREATE -> {
                ClientIdentity who = identity();
                StreamLoadGenerator load = new StreamLoadGenerator(
                        () -> HandleClientLoad.creating(target.address(), handle, 0, who), waiting(way), meter(process));
                add(stage, target.name(), load::run, 1);
            }
        }
    }

    private HandleRequests questions(Way way) {
        return way == Way.TCP_KEEPALIVE
                ? new HandleRequests(handle, records, OpFlag.PUBL, OpFlag.RECU, OpFlag.KPAL)
                : new HandleRequests(handle, records, OpFlag.PUBL, OpFlag.RECU);
    }

    private ClientIdentity identity() {
        try {
            return new ClientIdentity.SecretHolder(
                    ValueReference.parse(identity), secret.getBytes(StandardCharsets.UTF_8));
        } catch (Malformed | IllegalArgumentException e) {
            throw new BenchFailure("--identity is an index and a handle, such as 301:1234/ADMIN, and --secret their key", e);
        }
    }

    /** Fetches the server's response, which the C program repeats. */
    private byte[] answer(Way way, InetSocketAddress address) throws IOException {
        byte[] question = CStreamGenerator.question(way, questions(way), 0, address);
        if (way == Way.UDP) {
            try (DatagramSocket socket = new DatagramSocket()) {
                socket.setSoTimeout(ANSWER_MILLIS_MAX);
                socket.send(new DatagramPacket(question, question.length, address));
                DatagramPacket packet = new DatagramPacket(new byte[PACKET_BYTES_MAX], PACKET_BYTES_MAX);
                socket.receive(packet);
                return Arrays.copyOf(packet.getData(), packet.getLength());
            }
        }
        try (Socket socket = new Socket()) {
            socket.connect(address, ANSWER_MILLIS_MAX);
            socket.setSoTimeout(ANSWER_MILLIS_MAX);
            socket.getOutputStream().write(question);
            DataInputStream in = new DataInputStream(socket.getInputStream());
            return way == Way.HTTP_JSON || way == Way.HTTP_NATIVE ? page(in) : message(in);
        }
    }

    private static byte[] message(DataInputStream in) throws IOException {
        byte[] envelope = in.readNBytes(ENVELOPE_BYTES);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(envelope);
        all.writeBytes(in.readNBytes(ByteBuffer.wrap(envelope).getInt(ENVELOPE_BYTES - Integer.BYTES)));
        return all.toByteArray();
    }

    /** Reads an HTTP response, which must have a Content-Length. */
    private static byte[] page(DataInputStream in) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        String head = "";
        while (!head.endsWith("\r\n\r\n")) {
            all.write(in.readUnsignedByte());
            head = all.toString(StandardCharsets.US_ASCII);
        }
        all.writeBytes(in.readNBytes(contentLength(head)));
        return all.toByteArray();
    }

    /** Returns the Content-Length of an HTTP head. */
    static int contentLength(String head) {
        Matcher length = CONTENT_LENGTH.matcher(head);
        if (!length.find()) {
            throw new BenchFailure("the server's response has no Content-Length, which this command needs");
        }
        return Integer.parseInt(length.group(1));
    }
}
