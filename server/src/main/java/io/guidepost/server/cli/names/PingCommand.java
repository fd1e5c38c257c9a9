package io.guidepost.server.cli.names;

import io.guidepost.alto.protocol.Candidate;
import io.guidepost.alto.protocol.RankClient.Ranked;
import io.guidepost.alto.proxidor.ProxidorClient;
import io.guidepost.alto.proxidor.ProxidorListType;
import io.guidepost.alto.proxidor.RankRefusedException;
import io.guidepost.base.Address;
import io.guidepost.base.AddressText;
import io.guidepost.server.cli.support.ConsoleCommand;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.server.cli.support.ProxidorOptions;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code guidepost ping}: how soon is a list ranked? */
@Command(
        name = "ping",
        description = "Has a server rank random addresses, one list after the other, and says how long each took.",
        footer = {
            "Example:  guidepost ping --count 5 --size 10",
            "Exit code: 1 if no answer came"
        })
public final class PingCommand extends ConsoleCommand {
    private static final double NANOS_IN_MILLI = 1e6;

    @Mixin
    private ProxidorOptions server = new ProxidorOptions();

    @Option(
            names = {"-c", "--count"},
            paramLabel = "N",
            description = "Questions (default: until Ctrl-C).")
    private long count = Long.MAX_VALUE;

    @Option(
            names = "--size",
            paramLabel = "N",
            defaultValue = "100",
            description = "Addresses in each, 2 to 363 (default: ${DEFAULT-VALUE}).")
    private int size;

    @Option(
            names = "--delay",
            paramLabel = "TIME",
            defaultValue = "1s",
            description = "Time from an answer to the next question (default: ${DEFAULT-VALUE}).")
    private Duration delay = Duration.ofSeconds(1);

    private final SplittableRandom random = new SplittableRandom();
    private String name = "";
    private long begunNanos;
    private long sent;
    private final DoubleSummaryStatistics times = new DoubleSummaryStatistics();
    private double squares;
    private boolean summed;

    @Override
    public Integer call() throws IOException {
        if (size < 2 || size > ProxidorListType.IPV4.most() || count < 1) {
            throw wrong("--size is 2 to " + ProxidorListType.IPV4.most() + ", and --count 1 or more");
        }
        name = AddressText.of(server.address());
        say("Proxidor at " + name + ": " + size + " random addresses in each question");
        Thread last = new Thread(this::summary, "guidepost-ping-summary");
        Runtime.getRuntime().addShutdownHook(last);
        begunNanos = System.nanoTime();
        try (ProxidorClient client = server.open(1)) {
            for (long sequence = 1; sequence <= count; sequence++) {
                ask(client, sequence);
                if (sequence < count) {
                    LockSupport.parkNanos(delay.toNanos());
                }
            }
        }
        Runtime.getRuntime().removeShutdownHook(last);
        summary();
        return times.getCount() > 0 ? ExitCode.DONE : ExitCode.FAILED;
    }

    private void ask(ProxidorClient client, long sequence) throws IOException {
        List<Candidate> candidates = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            candidates.add(Candidate.of(Address.ofIpv4(random.nextInt())));
        }
        synchronized (this) {
            sent++;
        }
        try {
            Ranked ranked = client.rank(candidates, server.source());
            say("seq=" + sequence + " known=" + ranked.order().size() + " time=" + note(client.roundTripNanos()) + " ms");
        } catch (RankRefusedException e) {
            say("seq=" + sequence + " " + e.code().text() + " time=" + note(client.roundTripNanos()) + " ms");
        } catch (SocketTimeoutException e) {
            say("seq=" + sequence + " no answer within " + server.timeout().toMillis() + " ms");
        }
    }

    private synchronized String note(long nanos) {
        double millis = nanos / NANOS_IN_MILLI;
        times.accept(millis);
        squares += millis * millis;
        return decimal(millis);
    }

    /** Printed once: at the end, or when the process is told to end. */
    private synchronized void summary() {
        if (summed) {
            return;
        }
        summed = true;
        long answered = times.getCount();
        say("--- " + name + " ---");
        say(sent + " questions, " + answered + " answers, "
                + decimal(sent == 0 ? 0 : 100.0 * (sent - answered) / sent) + " % lost, time "
                + decimal((System.nanoTime() - begunNanos) / 1e9) + " s");
        if (answered > 0) {
            double mean = times.getAverage();
            double deviation = Math.sqrt(Math.max(0, squares / answered - mean * mean));
            say("round trip least/mean/most/deviation " + decimal(times.getMin()) + "/" + decimal(mean) + "/"
                    + decimal(times.getMax()) + "/" + decimal(deviation) + " ms");
        }
    }

    private static String decimal(double number) {
        return String.format(Locale.ROOT, "%.3f", number);
    }

    private void say(String line) {
        print(line + System.lineSeparator());
    }
}
