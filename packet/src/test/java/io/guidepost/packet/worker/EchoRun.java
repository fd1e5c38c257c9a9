package io.guidepost.packet.worker;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.guidepost.base.Addresses;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.Port;
import io.guidepost.packet.udp.SegmentationOffload;
import io.guidepost.packet.udp.UdpBackEnd;
import io.guidepost.packet.udp.UdpPorts;
import io.guidepost.packet.udp.UdpSettings;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures an echo on loopback, the answering worker on one processor and the asking thread on another: at saturation
 * with a window of outstanding datagrams, or paced, where each datagram leaves at a time drawn before. To be run by hand:
 * {@code EchoRun saturate|paced MILLISECONDS [key=value ...]}.
 */
final class EchoRun {
    private static final int REQUEST_BYTES = 40;
    private static final int ANSWER_BYTES = 60;
    private static final long LOOPBACK = Addresses.ipv4Low(0x7f000001);

    private final UdpSettings settings;
    private final Worker worker;
    private final Port server;
    private final Port client;
    private final Burst out;
    private final Burst in;
    private volatile long workerThread;
    private int serverPort;

    private EchoRun(UdpSettings settings, UdpSettings clientSettings, WorkerSettings workerSettings)
            throws IOException, InterruptedException {
        this.settings = settings;
        server = UdpPorts.open(settings);
        client = UdpPorts.open(clientSettings);
        out = client.tx(0).burst();
        in = client.rx(0).burst();
        DatagramHandler echo = (question, i, answers) -> {
            MemorySegment.copy(
                    question.segment(), question.offset(i), answers.segment(), answers.room(), REQUEST_BYTES);
            answers.append(ANSWER_BYTES, question, i);
        };
        worker = new Worker(workerSettings)
                .watch(server.rx(0))
                .add(nowMillis -> {
                    workerThread = Thread.currentThread().threadId();
                    return 0;
                })
                .add(new DatagramResponder(server.rx(0), server.tx(0), echo))
                .start();
    }

    private static long option(String[] args, String key, long otherwise) {
        return Arrays.stream(args)
                .filter(arg -> arg.startsWith(key + "="))
                .map(arg -> Long.parseLong(arg.substring(key.length() + 1)))
                .findFirst()
                .orElse(otherwise);
    }

    private static String word(String[] args, String key, String otherwise) {
        return Arrays.stream(args)
                .filter(arg -> arg.startsWith(key + "="))
                .map(arg -> arg.substring(key.length() + 1).toUpperCase(Locale.ROOT))
                .findFirst()
                .orElse(otherwise);
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        ThreadAffinity.pin((int) option(args, "clientCpu", 0));
        SegmentationOffload serverTrains = SegmentationOffload.valueOf(word(args, "trains", "AUTO"));
        SegmentationOffload clientTrains = SegmentationOffload.valueOf(word(args, "clientTrains", "OFF"));
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        UdpBackEnd backEnd = UdpBackEnd.valueOf(word(args, "backEnd", "BEST"));
        UdpSettings settings = UdpSettings.of(any).withSegmentationOffload(serverTrains).withBackEnd(backEnd)
                .withDatagramBytesMax((int) option(args, "bytesMax", 65535));
        WorkerSettings standard = WorkerSettings.of("echo").withCpu((int) option(args, "cpu", 1));
        WorkerSettings worker = standard.withWaiting(
                option(args, "spin", standard.spinNanos()), option(args, "nap", standard.coalesceNanos()), 100);
        EchoRun run = new EchoRun(settings, UdpSettings.of(any).withSegmentationOffload(clientTrains).withDatagramBytesMax(2048), worker);
        run.serverPort = (int) option(args, "server", run.server.localAddress().getPort());
        double seconds = Integer.parseInt(args[1]) / 1e3;
        int rounds = (int) option(args, "rounds", 3);
        for (int round = 0; round < rounds; round++) {
            // A pause in which others on the machine come to run, so that they do not come in the middle.
            LockSupport.parkNanos(option(args, "pauseMillis", 0) * 1_000_000);
            if (args[0].equals("paced")) {
                run.paced(seconds, (int) option(args, "rate", 50_000), option(args, "even", 0) == 1);
            } else {
                run.saturate(seconds, (int) option(args, "window", 1024));
            }
        }
        run.worker.close();
        for (Drop reason : Drop.values()) {
            String line = reason + " server " + run.server.rx(0).statistics().drops(reason) + " "
                    + run.server.tx(0).statistics().drops(reason) + ", client "
                    + run.client.rx(0).statistics().drops(reason) + " "
                    + run.client.tx(0).statistics().drops(reason);
            if (!line.replaceAll("[^1-9]", "").isEmpty()) {
                System.out.println(line);
            }
        }
        run.server.close();
        run.client.close();
    }

    private long workerCpuNanos() {
        return ManagementFactory.getThreadMXBean().getThreadCpuTime(workerThread);
    }

    private void ask(long stamp) {
        out.segment().set(JAVA_LONG_UNALIGNED, out.room(), stamp);
        out.append(
                REQUEST_BYTES,
                0,
                LOOPBACK,
                serverPort);
    }

    private void saturate(double seconds, int window) {
        long sent = 0;
        long answered = 0;
        long begin = System.nanoTime();
        long end = begin + (long) (seconds * 1e9);
        long cpu = workerCpuNanos();
        long lost = 0;
        long lastAnswer = begin;
        long now = begin;
        while (now < end) {
            while (out.hasRoom() && sent - answered - lost < window) {
                ask(0);
                sent++;
            }
            if (out.count() > 0) {
                client.tx(0).send(out);
            }
            int got = client.rx(0).receive(in);
            answered += got;
            now = System.nanoTime();
            if (got > 0) {
                lastAnswer = now;
            } else if (now - lastAnswer > 500_000_000) {
                lost = sent - answered;
                lastAnswer = now;
            }
        }
        long used = workerCpuNanos() - cpu;
        System.out.printf(
                Locale.ROOT,
                "saturate %-7s %8.0f replies/s  %.3f us CPU per datagram  lost %d  server calls rx %d tx %d%n",
                settings.segmentationOffload(),
                answered / seconds,
                used / 1e3 / answered,
                lost,
                server.rx(0).statistics().calls(),
                server.tx(0).statistics().calls());
    }

    private void paced(double seconds, int rate, boolean even) {
        SplittableRandom random = new SplittableRandom(1);
        int total = (int) (rate * seconds);
        long[] latencies = new long[total];
        int answered = 0;
        long sleeps = worker.statistics().sleeps();
        long naps = worker.statistics().coalescingSleeps();
        long cpu = workerCpuNanos();
        long begin = System.nanoTime() + 1_000_000;
        double due = 0;
        int sent = 0;
        long now = System.nanoTime();
        long stop = begin + (long) (seconds * 1e9) + 100_000_000L;
        while (answered < total && now < stop) {
            while (sent < total && begin + (long) due <= now && out.hasRoom()) {
                // The time that it was due, not that it left: a late asker must not hide a late answer.
                ask(begin + (long) due);
                sent++;
                due += 1e9 / rate * (even ? 1 : -Math.log(1 - random.nextDouble()));
            }
            if (out.count() > 0) {
                client.tx(0).send(out);
            }
            int got = client.rx(0).receive(in);
            now = System.nanoTime();
            for (int i = 0; i < got && answered < total; i++) {
                latencies[answered++] = now - in.segment().get(JAVA_LONG_UNALIGNED, in.offset(i));
            }
        }
        long used = workerCpuNanos() - cpu;
        Arrays.sort(latencies, 0, answered);
        System.out.printf(
                Locale.ROOT,
                "paced %d/s  p50 %.1f  p99 %.1f  p99.9 %.1f us  %.2f us CPU per request  lost %d  sleeps %.2f naps %.2f per request%n",
                rate,
                latencies[answered / 2] / 1e3,
                latencies[(int) (answered * 0.99)] / 1e3,
                latencies[(int) (answered * 0.999)] / 1e3,
                used / 1e3 / answered,
                total - answered,
                (worker.statistics().sleeps() - sleeps) / (double) answered,
                (worker.statistics().coalescingSleeps() - naps) / (double) answered);
    }
}
