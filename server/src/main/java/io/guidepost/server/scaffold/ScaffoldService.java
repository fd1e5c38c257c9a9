package io.guidepost.server.scaffold;

import io.guidepost.base.DurableFiles;
import io.guidepost.base.Malformed;
import io.guidepost.packet.admission.Admission;
import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.scaffold.key.HostKey;
import io.guidepost.scaffold.object.Distance;
import io.guidepost.scaffold.object.InstanceState;
import io.guidepost.scaffold.object.ObjectCount;
import io.guidepost.scaffold.object.ObjectDerivation;
import io.guidepost.scaffold.object.ObjectDoor;
import io.guidepost.scaffold.object.ObjectRouter;
import io.guidepost.scaffold.object.ObjectSettings;
import io.guidepost.scaffold.wire.ControlFault;
import io.guidepost.server.admin.AdminPort;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationKeys;
import io.guidepost.server.config.FileCheck;
import io.guidepost.server.metrics.CounterFamilies;
import io.guidepost.server.metrics.Exposition;
import io.guidepost.server.metrics.WorkerDoors;
import io.guidepost.server.service.HealthCondition;
import io.guidepost.server.service.ServerContext;
import io.guidepost.server.service.Service;
import io.guidepost.server.service.Staged;
import io.guidepost.server.service.UdpQueue;
import io.guidepost.server.service.UdpService;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreOptions;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The object router of SCAFFOLD: a door on each queue, over one table of hosts, objects and instances. */
public final class ScaffoldService implements Service {
    public static final String NAME = "scaffold";

    private static final String KEY_FILE = "host.key";
    private static final int COOKIE_SECRET_BYTES = 32;

    /** Rows of each list of the page: more is nothing that a person reads. */
    private static final int ROWS_MAX = 1_000;

    private static final CounterFamilies<ObjectCount> COUNTERS = new CounterFamilies<>(ObjectCount.class, "guidepost_scaffold_")
            .family("requests", "Datagrams received, by type. Each ends as a response or a drop.", "type")
            .family("responses", "Responses and forwarded messages, by what came of the request.", "outcome")
            .family("notices_sent", "Hosts of clients that were told that an instance is gone.")
            .family("drops", "Datagrams dropped without a response, by reason.", "reason")
            .family("bytes", "Bytes of datagrams, by direction.", "direction");

    private final Configuration configuration;
    private final UdpService udp;
    private final Distance distance;
    private final ObjectDerivation derivation = new ObjectDerivation();
    private final SecureRandom random = new SecureRandom();
    private final byte[] cookieSecret = new byte[COOKIE_SECRET_BYTES];
    private final WorkerDoors<ObjectDoor> doors = new WorkerDoors<>();
    private final CountDownLatch closing = new CountDownLatch(1);
    private @Nullable ObjectRouter router;

    public ScaffoldService(ServerContext context) {
        this.configuration = context.configuration();
        this.distance = context.ordering().map(ScaffoldService::distance).orElse(Distance.EQUAL);
        this.udp = new UdpService(
                NAME,
                "SCAFFOLD over UDP: object router",
                configuration.get(ConfigurationKeys.SCAFFOLD_LISTEN),
                configuration.get(ConfigurationKeys.SCAFFOLD_PORT).intValue(),
                Admission.FAIR_QUEUE,
                this::door);
        random.nextBytes(cookieSecret);
    }

    /** The rank of a place, as seen from the client's; equal for all where the client's is not known. */
    static Distance distance(Supplier<Ranking> rankings) {
        return (fromHigh, fromLow, toHigh, toLow) -> {
            Ranking now = rankings.get();
            int source = now.source(now.place(fromHigh, fromLow));
            return source == Ranking.NO_SOURCE ? 0 : now.ranks(source)[now.place(toHigh, toLow)];
        };
    }

    /** Reads its key, if it is there. */
    public static void check(FileCheck files) {
        Path file = keyFile(files.configuration());
        if (Files.exists(file)) {
            files.read(ConfigurationKeys.SCAFFOLD_FOLDER, () -> readKey(file, Files.readAllBytes(file)));
        }
    }

    private static Path keyFile(Configuration configuration) {
        return configuration.get(ConfigurationKeys.SCAFFOLD_FOLDER).resolve(KEY_FILE);
    }

    private static HostKey readKey(Path file, byte[] bytes) throws IOException {
        try {
            return HostKey.read(bytes);
        } catch (Malformed e) {
            throw new IOException(file + " cannot be used: " + e.reason() + ", or delete it, and another is made", e);
        }
    }

    private static ObjectSettings settings(Configuration configuration) {
        return ObjectSettings.of(configuration.get(ConfigurationKeys.SCAFFOLD_HOSTS));
    }

    @Override
    public List<UdpService> udp() {
        return List.of(udp);
    }

    @Override
    public StoreOptions store(StoreOptions options) {
        return options.withDerivation(derivation);
    }

    @Override
    public void prepare(RecordStore records) throws IOException {
        Path file = keyFile(configuration);
        HostKey own = readKey(file, DurableFiles.secret(file, () -> HostKey.generate(random).write()));
        router = ObjectRouter.open(own, () -> HostKey.generate(random), settings(configuration), records, System::nanoTime);
    }

    private ObjectRouter router() {
        ObjectRouter now = router;
        if (now == null) {
            throw new IllegalStateException("the store is not open yet");
        }
        return now;
    }

    private ObjectDoor door(UdpQueue queue) {
        ObjectDoor door = new ObjectDoor(router(), distance, cookieSecret, queue.wake());
        doors.add(queue.worker(), door);
        return door;
    }

    /** Forgets what is over, each second. */
    @Override
    public void start() {
        ObjectRouter started = router();
        Thread.ofVirtual().name("guidepost-scaffold").start(() -> {
            try {
                while (!closing.await(1, TimeUnit.SECONDS)) {
                    started.expire();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    @Override
    public Staged stage(Configuration next) {
        ObjectSettings staged = settings(next);
        return () -> router().follow(staged);
    }

    @Override
    public List<HealthCondition> conditions() {
        int unheard = router().instances().getOrDefault(InstanceState.UNHEARD, 0);
        return unheard == 0
                ? List.of()
                : List.of(new HealthCondition(
                        "scaffold-unheard", unheard + " instances were registered before the start, and are not heard yet", true));
    }

    @Override
    public void pages(AdminPort port) {
        port.get("/scaffold", _ -> AdminPort.json(200, json()));
    }

    private Map<String, Object> json() {
        ObjectRouter now = router();
        Map<String, Object> states = new LinkedHashMap<>();
        now.instances().forEach((state, number) -> states.put(Exposition.name(state), number));
        return JsonWriter.object(
                "guid", now.guid(),
                "hosts", now.hosts(),
                "objects", now.objects(),
                "instances", states,
                "hostList", now.viewHosts(ROWS_MAX).stream().map(ScaffoldService::json).toList(),
                "instanceList", now.viewInstances(ROWS_MAX).stream().map(ScaffoldService::json).toList());
    }

    private static Map<String, Object> json(ObjectRouter.HostView host) {
        return JsonWriter.object(
                "host", host.guid(),
                "epoch", host.epoch(),
                "places", host.locators(),
                "leaseMillis", host.leaseMillis(),
                "heard", host.agreed());
    }

    private static Map<String, Object> json(ObjectRouter.InstanceView instance) {
        return JsonWriter.object(
                "object", instance.offer().object(),
                "name", instance.offer().name(),
                "instance", instance.instance(),
                "host", instance.offer().host(),
                "state", Exposition.name(instance.state()),
                "protocol", instance.offer().protocol(),
                "port", instance.offer().port(),
                "priority", instance.offer().priority(),
                "weight", instance.offer().weight(),
                "flows", instance.flows(),
                "leaseMillis", instance.leaseMillis());
    }

    @Override
    public void write(Exposition out) {
        doors.write(out, COUNTERS, ObjectDoor::counts);
        out.counter("guidepost_scaffold_malformed", "Messages dropped as malformed, by their first fault.");
        doors.writeFaults(out, ControlFault.NONE, ObjectDoor::faults);
        ObjectRouter now = router();
        out.gauge("guidepost_scaffold_hosts", "Hosts that are known.").sample(now.hosts());
        out.gauge("guidepost_scaffold_objects", "Objects that have an instance.").sample(now.objects());
        out.gauge("guidepost_scaffold_instances", "Instances, by how they are; see /scaffold.");
        now.instances().forEach((state, number) -> out.sample(number, "state", Exposition.name(state)));
        out.counter("guidepost_scaffold_foreign_guids", "Records for GNRS clients that were not made, as a client had bound the GUID.")
                .sample(derivation.foreign());
    }

    @Override
    public void stop() {
        closing.countDown();
    }
}
