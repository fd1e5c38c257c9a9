package io.guidepost.server.cli.boxes;

import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.Port;
import io.guidepost.packet.backend.FramePortOpener;
import io.guidepost.server.cli.support.ConsoleCommand;
import io.guidepost.server.cli.support.ExceptionText;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.server.cli.support.TextTable;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code guidepost ports}: the kinds of ports, and which of them this machine has what it takes for. */
@Command(
        name = "ports",
        description = {
            "Shows the kinds of ports for frames, what each needs, and whether this machine has it now.",
            "Each kind is tried with a device that does no harm; of that are the offloads: what it, or the kernel, does by itself.",
            "The largest MTU is that of the default frame-bytes, and of the largest that the kind takes. What it does with longer",
            "frames: xdp does not open, or with oversize=drop counts them as dropped; all others count them as dropped."
        },
        footer = {"Example:  guidepost ports", "          guidepost serve --port xdp:eth0"})
public final class PortsCommand extends ConsoleCommand {
    /** Devices that exist on every machine, or are made for the trial, by kind; and files that exist nowhere. */
    private static final Map<String, String> TRIALS = Map.of(
            "memory", "memory:trial",
            "packet", "packet:lo",
            "xdp", "xdp:lo,mode=generic,redirect=udp:9,oversize=drop",
            "tap", "tap:gptrial%d",
            "tun", "tun:gptrial%d",
            "dpdk", "dpdk:net_null0");

    private record Row(FramePortOpener.Kind kind, String here, List<String> offloads) {}

    @Option(names = "--json", description = "As JSON.")
    private boolean json;

    @Option(names = "--no-trial", description = "Only says what each needs, and tries none.")
    private boolean noTrial;

    @Override
    public Integer call() {
        List<Row> rows = new ArrayList<>();
        for (FramePortOpener.Kind kind : FramePortOpener.KINDS) {
            rows.add(noTrial ? new Row(kind, "not tried", List.of()) : tried(kind));
        }
        if (json) {
            List<Object> list = new ArrayList<>();
            rows.forEach(each -> list.add(JsonWriter.object(
                    "kind", each.kind.name(),
                    "purpose", each.kind.purpose(),
                    "needs", each.kind.needs(),
                    "here", each.here,
                    "mtuMax", mtuMax(each.kind),
                    "offloads", each.offloads)));
            print(JsonWriter.text(list));
        } else {
            TextTable table = new TextTable("kind", "purpose", "needs", "here", "largest MTU", "offloads");
            rows.forEach(each -> table.row(
                    each.kind.name(),
                    each.kind.purpose(),
                    each.kind.needs(),
                    each.here,
                    mtuText(mtuMax(each.kind)),
                    String.join(" ", each.offloads)));
            print(table);
        }
        return ExitCode.DONE;
    }

    /** Returns the largest MTU for each size of frames that a kind takes. */
    private static SequencedMap<String, Integer> mtuMax(FramePortOpener.Kind kind) {
        SequencedMap<String, Integer> all = new LinkedHashMap<>();
        for (int bytes = FrameSettings.FRAME_BYTES_MIN; bytes <= FrameSettings.FRAME_BYTES_MAX; bytes *= 2) {
            int mtu = kind.mtuMax().applyAsInt(bytes);
            if (mtu > 0) {
                all.put(Integer.toString(bytes), mtu);
            }
        }
        return all;
    }

    private static String mtuText(SequencedMap<String, Integer> mtus) {
        return mtus.firstEntry().getValue() + ", or " + mtus.lastEntry().getValue() + " with frame-bytes=" + mtus.lastEntry().getKey();
    }

    private static Row tried(FramePortOpener.Kind kind) {
        String trial = TRIALS.get(kind.name());
        if (trial == null) {
            return new Row(kind, "yes", List.of());
        }
        try (Port port = FramePortOpener.open(trial)) {
            List<String> offloads = port.offloads().stream()
                    .map(each -> each.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                    .sorted()
                    .toList();
            return new Row(kind, "yes", offloads);
        } catch (IOException e) {
            return new Row(kind, "no: " + ExceptionText.of(e), List.of());
        }
    }
}
