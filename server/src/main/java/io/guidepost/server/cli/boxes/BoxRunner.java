package io.guidepost.server.cli.boxes;

import io.guidepost.base.AddressText;
import io.guidepost.packet.Drop;
import io.guidepost.packet.FramePool;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.Port;
import io.guidepost.packet.QueueStatistics;
import io.guidepost.packet.backend.Middlebox;
import io.guidepost.packet.worker.DutyCycle;
import io.guidepost.packet.worker.WorkerSettings;
import io.guidepost.server.admin.AdminService;
import io.guidepost.server.cli.support.Keyboard;
import io.guidepost.server.cli.support.TextTable;
import io.guidepost.server.console.BoxConsole;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Ports and workers of a middlebox that runs until it is told to end, and the tables of what they do. */
final class BoxRunner implements AutoCloseable {
    /** How often it is asked whether there is nothing more to do. */
    private static final double LOOK_SECONDS = 0.1;

    /** Such looks from one turn of a box to the next: files that it follows are in force within a second. */
    private static final int LOOKS_OF_TURN = 10;

    /** Counters of a device that the table leaves to --json. */
    private static final Pattern TRAFFIC = Pattern.compile(".*(bytes|packets|multicast)|xdp_redirected|xdp_tx_ring_empty|xdp_zero_copy");

    private final BoxOptions options;
    private final Middlebox box;
    private final FramePool pool;
    private long[] packetsBefore = new long[0];
    private long beforeNanos;
    private volatile @Nullable BoxConsole console;

    /**
     * Opens ports that share packet memory.
     *
     * @throws IOException if one cannot be opened
     */
    BoxRunner(List<String> names, BoxOptions options) throws IOException {
        this.options = options;
        if (options.interval < 0.1 || options.interval > 3600) {
            throw new IOException("--interval is " + options.interval + "; it must be 0.1 to 3600 seconds");
        }
        try {
            pool = new FramePool(options.frames, options.frameBytes, FrameSettings.HEADROOM_BYTES);
            String queues = options.queues == 0 ? "" : ",queues=" + options.queues;
            box = Middlebox.open(names.stream().map(name -> name + queues).toList(), pool);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    FramePool pool() {
        return pool;
    }

    /** Adds a port that was opened apart; before the start. */
    Port add(Port port) {
        return box.add(port);
    }

    Port port(int index) {
        return ports().get(index);
    }

    List<Port> ports() {
        return box.ports();
    }

    /** Pairs of queues that every port has: as many workers are of use. */
    int queues() {
        return box.queues();
    }

    /** Starts a worker for each queue, which does what it is given for it. */
    void start(String name, IntFunction<List<? extends DutyCycle>> duties) throws InterruptedException {
        box.start(queue -> WorkerSettings.of(name + "-" + queue).withCpu(options.cpu(queue)), duties);
    }

    /**
     * Prints tables until the time is over, someone presses q, or the process is told to end.
     *
     * @throws IOException if a device was lost and the box is to end then
     */
    void run(PrintWriter out, PrintWriter err, BoxCommand report) throws IOException, InterruptedException {
        Thread last = new Thread(() -> end(out, report, true), "guidepost-shutdown");
        Runtime.getRuntime().addShutdownHook(last);
        long end = options.seconds == null ? Long.MAX_VALUE : System.nanoTime() + (long) (options.seconds * 1e9);
        for (Port port : ports()) {
            String queues = port.queues() > 1 ? " with " + port.queues() + " queues" : "";
            err.println("guidepost: " + port.name() + " is open" + queues + port.bypass().map(it -> "; " + it).orElse(""));
        }
        err.flush();
        boolean lost = false;
        openConsole(err, report);
        try (Keyboard keyboard = options.json || options.quiet ? Keyboard.none() : Keyboard.open()) {
            boolean quit = false;
            while (!quit && !lost && !report.isOver() && System.nanoTime() < end) {
                quit = wait(keyboard, err, report, Math.min(options.interval, (end - System.nanoTime()) / 1e9));
                lost = options.exitOnLoss && box.isLost();
                if (!options.quiet) {
                    print(out, report, keyboard.raw());
                }
            }
        }
        Runtime.getRuntime().removeShutdownHook(last);
        end(out, report, options.quiet);
        if (lost) {
            throw new IOException(box.lostNames() + ": lost, and --exit-on-loss is set");
        }
    }

    /** Ends the workers, prints what the ports counted, which closing them would end, and closes them. */
    private void end(PrintWriter out, BoxCommand report, boolean printed) {
        box.endWorkers();
        if (printed) {
            print(out, report, false);
        }
        close();
    }

    private boolean wait(Keyboard keyboard, PrintWriter err, BoxCommand report, double seconds)
            throws IOException, InterruptedException {
        double left = seconds;
        boolean quit = false;
        int looks = 0;
        while (!quit && !report.isOver() && left > 0 && !(options.exitOnLoss && box.isLost())) {
            quit = keyboard.quitWithin(Math.min(left, LOOK_SECONDS));
            if (Thread.interrupted()) {
                throw new InterruptedException("the box was told to end");
            }
            left -= LOOK_SECONDS;
            if (looks++ % LOOKS_OF_TURN == 0) {
                report.turn();
            }
            box.supervise().forEach(change -> err.println("guidepost: " + change));
            err.flush();
        }
        return quit;
    }

    private void openConsole(PrintWriter err, BoxCommand report) throws IOException {
        if (options.ui == null) {
            return;
        }
        Optional<String> token;
        try {
            token = AdminService.token(options.uiToken);
        } catch (IOException e) {
            throw new IOException("--ui-token " + options.uiToken + ": " + e.getMessage(), e);
        }
        BoxConsole opened = new BoxConsole(options.ui, token, () -> told(report));
        console = opened;
        err.println("guidepost: look at it at http://" + AddressText.of(opened.address()) + "/ui/");
        err.flush();
    }

    private synchronized Object told(BoxCommand report) {
        return JsonWriter.object(
                "command", report.name(), "ports", ports().stream().map(BoxRunner::json).toList(), "box", report.json());
    }

    private synchronized void print(PrintWriter out, BoxCommand report, boolean clear) {
        if (options.json) {
            out.print(JsonWriter.text(JsonWriter.object("ports", ports().stream().map(BoxRunner::json).toList(), "box", report.json())));
        } else {
            out.print((clear ? Keyboard.HOME_AND_CLEAR : "") + portTable() + "\n" + report.table());
        }
        out.flush();
    }

    private TextTable portTable() {
        List<Port> ports = ports();
        TextTable table = new TextTable("port", "link", "received", "in/s", "sent", "out/s", "dropped", "device");
        long now = System.nanoTime();
        double seconds = beforeNanos == 0 ? 0 : (now - beforeNanos) / 1e9;
        long[] packets = new long[2 * ports.size()];
        for (int i = 0; i < ports.size(); i++) {
            Port port = ports.get(i);
            for (int q = 0; q < port.queues(); q++) {
                packets[2 * i] += port.rx(q).statistics().packets();
                packets[2 * i + 1] += port.tx(q).statistics().packets();
            }
            table.row(
                    port.name(),
                    port.link().text(),
                    packets[2 * i],
                    rate(packets, 2 * i, seconds),
                    packets[2 * i + 1],
                    rate(packets, 2 * i + 1, seconds),
                    dropText(statistics(port)),
                    deviceText(port));
        }
        packetsBefore = packets;
        beforeNanos = now;
        return table;
    }

    private String rate(long[] packets, int at, double seconds) {
        return seconds == 0 || packetsBefore.length != packets.length
                ? ""
                : String.format(Locale.ROOT, "%.0f", (packets[at] - packetsBefore[at]) / seconds);
    }

    /** The reasons of queues with their numbers, 0 without any. */
    static String dropText(List<QueueStatistics> queues) {
        List<String> parts = new ArrayList<>();
        drops(queues).forEach((reason, number) -> parts.add(reason + " " + number));
        return parts.isEmpty() ? "0" : String.join(", ", parts);
    }

    /** The device's own counters that are not 0, but for those of traffic: errors, drops, and what passed by the port. */
    private static String deviceText(Port port) {
        return port.deviceCounters().entrySet().stream()
                .filter(each -> each.getValue() > 0 && !TRAFFIC.matcher(each.getKey()).matches())
                .map(each -> each.getKey() + " " + each.getValue())
                .collect(Collectors.joining(", "));
    }

    private static List<QueueStatistics> statistics(Port port) {
        List<QueueStatistics> all = new ArrayList<>();
        for (int q = 0; q < port.queues(); q++) {
            all.add(port.rx(q).statistics());
            all.add(port.tx(q).statistics());
        }
        return all;
    }

    private static Map<String, Long> drops(List<QueueStatistics> queues) {
        Map<String, Long> drops = new LinkedHashMap<>();
        for (QueueStatistics each : queues) {
            for (Drop reason : Drop.values()) {
                if (each.drops(reason) > 0) {
                    drops.merge(reason.name().toLowerCase(Locale.ROOT), each.drops(reason), Long::sum);
                }
            }
        }
        return drops;
    }

    private static Map<String, Object> json(Port port) {
        long received = 0;
        long sent = 0;
        for (int q = 0; q < port.queues(); q++) {
            received += port.rx(q).statistics().packets();
            sent += port.tx(q).statistics().packets();
        }
        return JsonWriter.object(
                "port", port.name(),
                "link", port.link().text(),
                "received", received,
                "sent", sent,
                "dropped", drops(statistics(port)),
                "device", port.deviceCounters());
    }

    @Override
    public void close() {
        // Before the memory that its pages look at.
        if (console != null) {
            console.close();
        }
        box.close();
    }
}
