package io.guidepost.bench.handle;

import io.guidepost.base.Malformed;
import io.guidepost.bench.process.BenchFailure;
import io.guidepost.bench.process.ProcessPinning;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.BenchTarget;
import io.guidepost.bench.scene.CBaseline;
import io.guidepost.bench.scene.MedianSpread;
import io.guidepost.bench.scene.RunningServerCommand;
import io.guidepost.bench.scene.VersusOptions;
import io.guidepost.handle.client.ClientIdentity;
import io.guidepost.handle.value.ValueReference;
import io.guidepost.packet.udp.SegmentationOffload;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
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
        CREATE,
        CREATE_KEPT;

        /** Returns whether handles are created, and not resolved. */
        boolean creates() {
            return this == CREATE || this == CREATE_KEPT;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        /** Returns the transport of a name. */
        static Way of(String name) {
            return Arrays.stream(values())
                    .filter(each -> each.toString().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new BenchFailure("'" + name + "' is no transport; there are " + Arrays.toString(values())));
        }
    }

    /** Bytes that the server writes to its log for a handle with a URL. */
    static final int CREATION_BYTES = 800;

    @Mixin
    private VersusOptions versus = new VersusOptions();

    @Option(names = "--c", description = "One more contestant: a C program with one prepared response.")
    private boolean baseline;

    @Option(
            names = "--way",
            paramLabel = "WAY",
            description = "udp, tcp (a connection per request), tcp-keepalive, http-json, http-native, create (a connection each),"
                    + " create-kept (default ${DEFAULT-VALUE}).")
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
            description = "Outstanding requests; default " + HandleLoad.OUTSTANDING + ".")
    private int outstanding;

    @Option(
            names = "--c-bytes",
            paramLabel = "N",
            description = "Bytes that the C program appends for a handle that is created, synced once for all that come together"
                    + " (default ${DEFAULT-VALUE}, as the server does for a URL).")
    private int baselineBytes = CREATION_BYTES;

    @Option(names = "--c-cpu", paramLabel = "N", description = "Processor of the C program; -1 = any (default).")
    private int baselineCpu = ProcessPinning.ANYWHERE;

    @Override
    protected void prepare(BenchStage stage) throws IOException {
        HandleLoad load = new HandleLoad(stage, way(), handle, records, waiting(way()), SegmentationOffload.OFF);
        BenchTarget.Running first = target();
        add(load, first, first.pid());
        versus.target().ifPresent(second -> add(load, second, second.pid()));
        if (baseline) {
            addBaseline(load, first);
        }
    }

    private void addBaseline(HandleLoad load, BenchTarget.Running first) throws IOException {
        String way = load.way().toString();
        if (load.way().creates()) {
            // It knows no sessions: it is sent what was made for the first server.
            HandleLoad.Creations creations = load.creating(first.address(), identity());
            CBaseline third = load.stage().keep(CBaseline.ofCreations(
                    baselineCpu, load.stage().folder(), way, creations.requests().answer(), baselineBytes));
            add(load.stage(), third.name(), creations.to(third.address(), third.pid())::run, 1);
        } else {
            CBaseline third = load.stage().keep(CBaseline.ofHandles(
                    baselineCpu, load.stage().folder(), way, CapturedResponse.fetch(load.way(), load.requests(), first.address()), false));
            add(load, third, third.pid());
        }
    }

    @Override
    protected String title() {
        Way way = way();
        return "Handles over " + way + " with " + waiting(way) + " outstanding, " + MedianSpread.number(records)
                + (records == 1 ? " handle" : " handles");
    }

    private Way way() {
        return Way.of(wayName);
    }

    private int waiting(Way way) {
        return outstanding > 0 ? outstanding : HandleLoad.outstanding(way);
    }

    private void add(HandleLoad load, BenchTarget target, long process) {
        Generator generator = load.way().creates()
                ? load.creating(target.address(), identity()).to(target.address(), process)::run
                : load.resolving(target.address(), process);
        add(load.stage(), target.name(), generator, load.way() == Way.UDP ? 0.3 : 1);
    }

    private ClientIdentity identity() {
        try {
            return new ClientIdentity.SecretHolder(
                    ValueReference.parse(identity), secret.getBytes(StandardCharsets.UTF_8));
        } catch (Malformed | IllegalArgumentException e) {
            throw new BenchFailure("--identity is an index and a handle, such as 301:1234/ADMIN, and --secret their key", e);
        }
    }
}
