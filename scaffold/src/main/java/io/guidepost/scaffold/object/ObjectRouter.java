package io.guidepost.scaffold.object;

import io.guidepost.names.Guid;
import io.guidepost.scaffold.key.Association;
import io.guidepost.scaffold.key.HostKey;
import io.guidepost.scaffold.wire.HostLocator;
import io.guidepost.scaffold.wire.Reason;
import io.guidepost.store.RecordStore;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What an object router knows: hosts and where they are, objects and their instances, and the names of objects. All doors of a
 * server share it; any thread may use it. Reading takes no lock; what changes the set of instances takes one.
 *
 * <p>What is new is in memory at once, and acknowledged when it is on the disk, see {@link InstanceRecords}. What is on the disk at a
 * start has one lease until its host speaks.
 */
public final class ObjectRouter {
    /**
     * A host, for people.
     *
     * @param epoch counts its moves
     * @param leaseMillis how long its lease still is; negative if it is over
     * @param agreed whether the host has greeted since the start
     */
    public record HostView(Guid guid, int epoch, List<HostLocator> locators, long leaseMillis, boolean agreed) {}

    /**
     * An instance, for people.
     *
     * @param leaseMillis how long its lease still is; negative if it is over
     */
    public record InstanceView(Guid instance, InstanceOffer offer, InstanceState state, int flows, long leaseMillis) {}

    private static final long NANOS_PER_MILLI = 1_000_000;

    final HostKey own;
    private final Supplier<HostKey> shares;
    private final InstanceRecords records;
    private final LongSupplier nanoClock;
    private final Map<Guid, JoinedHost> hosts = new ConcurrentHashMap<>();
    private final Map<Guid, ServedObject> objects = new ConcurrentHashMap<>();
    private final Map<String, Guid> names = new ConcurrentHashMap<>();

    /** Hosts that the key of the hour has agreed with; guards it. */
    private final Set<Guid> agreedWith = new HashSet<>();

    private HostKey share;
    final ClientNotices notices = new ClientNotices();
    private volatile ObjectSettings settings;

    private ObjectRouter(
            HostKey own, Supplier<HostKey> shares, ObjectSettings settings, RecordStore store, LongSupplier nanoClock) {
        this.own = own;
        this.shares = shares;
        this.share = shares.get();
        this.settings = settings;
        this.records = new InstanceRecords(store);
        this.nanoClock = nanoClock;
    }

    /**
     * Opens a router that knows what its store has.
     *
     * @param own its key for good
     * @param shares makes its keys of the hour
     * @param store with an {@link ObjectDerivation}
     * @param nanoClock of leases, which no change of the time of day makes longer or shorter
     * @throws IOException if the store cannot be read
     */
    public static ObjectRouter open(
            HostKey own, Supplier<HostKey> shares, ObjectSettings settings, RecordStore store, LongSupplier nanoClock)
            throws IOException {
        ObjectRouter router = new ObjectRouter(own, shares, settings, store, nanoClock);
        long end = router.nowNanos() + settings.leaseMillisMax() * NANOS_PER_MILLI;
        router.records.load(
                (guid, locators) -> router.hosts.put(guid, JoinedHost.ofStored(guid, locators, end)),
                (guid, stored) -> router.restore(guid, stored, end));
        return router;
    }

    private void restore(Guid guid, InstanceOffer offer, long end) {
        JoinedHost host = hosts.computeIfAbsent(offer.host(), each -> new JoinedHost(each, end));
        add(new Instance(guid, offer, host, null, end));
    }

    /** Returns the GUID of this router, a host among others. */
    public Guid guid() {
        return own.guid();
    }

    ObjectSettings settings() {
        return settings;
    }

    /** Follows other settings. */
    public void follow(ObjectSettings next) {
        settings = next;
    }

    long nowNanos() {
        return nanoClock.getAsLong();
    }

    private long forgetNanos() {
        return NANOS_PER_MILLI * settings.leaseMillisMax() * ObjectSettings.FORGET_LEASES;
    }

    @Nullable
    JoinedHost host(Guid guid) {
        return hosts.get(guid);
    }

    /**
     * Returns the key of the hour for something new with a host: never one that it was agreed with before. What two keys agree on would be
     * what was in use until the host was forgotten, or had another key, and would count from 0 again: the host would refuse the old
     * numbers, and messages that another has recorded would be new once more.
     */
    HostKey shareFor(Guid host) {
        synchronized (agreedWith) {
            if (!agreedWith.add(host) || agreedWith.size() > settings.hostsMax()) {
                share = shares.get();
                agreedWith.clear();
                agreedWith.add(host);
            }
            return share;
        }
    }

    /** Keeps what a greeting has agreed with a host, until it has shown that it knows it; returns false if there are too many hosts. */
    boolean greeted(Association agreed) {
        JoinedHost host = hosts.get(agreed.peer());
        if (host == null) {
            if (hosts.size() >= settings.hostsMax()) {
                return false;
            }
            long end = nowNanos() + settings.leaseMillisMax() * NANOS_PER_MILLI;
            host = hosts.computeIfAbsent(agreed.peer(), each -> new JoinedHost(each, end));
        }
        host.agree(agreed);
        return true;
    }

    /** Writes where a host is; returns why not, or null. */
    @Nullable
    ObjectCount store(JoinedHost host, List<HostLocator> locators, RecordStore.Completion done) {
        return records.putHost(host.guid, locators, done) ? null : ObjectCount.RESPONSES_WRITES_MAX;
    }

    @Nullable
    ServedObject object(Guid guid) {
        return objects.get(guid);
    }

    @Nullable
    Guid named(String name) {
        return names.get(name);
    }

    /** Takes an instance that is new, or offered otherwise than before, and writes it; returns why not, or null. */
    synchronized @Nullable ObjectCount register(Instance instance, RecordStore.Completion done) {
        ServedObject served = objects.get(instance.offer.object());
        if (served == null && objects.size() >= settings.objectsMax()) {
            return ObjectCount.RESPONSES_OBJECTS_MAX;
        }
        if (served == null || served.find(instance.guid) == null) {
            if (served != null && served.instances().length >= ObjectSettings.OBJECT_INSTANCES_MAX) {
                return ObjectCount.RESPONSES_OBJECT_INSTANCES_MAX;
            }
            if (instance.host.instances.get() >= ObjectSettings.HOST_INSTANCES_MAX) {
                return ObjectCount.RESPONSES_HOST_INSTANCES_MAX;
            }
        }
        String name = instance.offer.name();
        String before = served == null ? "" : served.name();
        if (!name.isEmpty() && !name.equals(before)) {
            if (names.containsKey(name)) {
                return ObjectCount.RESPONSES_NAME_TAKEN;
            }
            if (!before.isEmpty()) {
                return ObjectCount.RESPONSES_NAMES_MAX;
            }
        }
        if (!records.put(instance, done)) {
            return ObjectCount.RESPONSES_WRITES_MAX;
        }
        add(instance);
        return null;
    }

    private void add(Instance instance) {
        Guid object = instance.offer.object();
        ServedObject served = objects.computeIfAbsent(object, _ -> new ServedObject());
        String before = served.name();
        if (served.find(instance.guid) == null) {
            instance.host.instances.incrementAndGet();
        }
        served.put(instance);
        rename(object, before, served.name());
    }

    private void rename(Guid object, String before, String after) {
        if (!after.equals(before)) {
            names.remove(before, object);
            if (!after.isEmpty()) {
                names.put(after, object);
            }
        }
    }

    /** Takes an instance back, on the disk too; returns why not, or null. */
    synchronized @Nullable ObjectCount unregister(Instance instance, RecordStore.Completion done) {
        if (!records.remove(InstanceRecords.INSTANCE, instance.guid, done)) {
            return ObjectCount.RESPONSES_WRITES_MAX;
        }
        notices.tell(instance, Reason.DEAD);
        drop(instance);
        return null;
    }

    /** Removes an instance from memory, with the last one its object, and with the last one that has brought it the name. */
    synchronized void drop(Instance instance) {
        Guid object = instance.offer.object();
        ServedObject served = objects.get(object);
        if (served == null || served.find(instance.guid) != instance) {
            return;
        }
        String before = served.name();
        served.remove(instance.guid);
        instance.host.instances.decrementAndGet();
        rename(object, before, served.name());
        if (served.instances().length == 0) {
            objects.remove(object);
        }
    }

    /**
     * Forgets hosts that have left, hosts and instances that are silent for long, and greetings that no message has followed. To be
     * called each second or so, by any thread. Returns how many instances are gone.
     */
    public int expire() {
        long now = nowNanos();
        long forget = forgetNanos();
        int gone = 0;
        for (ServedObject served : objects.values()) {
            for (Instance each : served.instances()) {
                if (each.state(now) == InstanceState.GONE) {
                    notices.tell(each, Reason.DEAD);
                }
                gone += each.isForgotten(now, forget) && unregister(each, InstanceRecords.UNWATCHED) == null ? 1 : 0;
            }
        }
        hosts.values().removeIf(each -> each.isForgotten(now, forget)
                && (!each.hasRecord() || records.remove(InstanceRecords.HOST, each.guid, InstanceRecords.UNWATCHED)));
        return gone;
    }

    /** Returns the number of hosts that are known. */
    public int hosts() {
        return hosts.size();
    }

    /** Returns the number of objects that have an instance. */
    public int objects() {
        return objects.size();
    }

    /** Returns how many instances there are of each state. */
    public Map<InstanceState, Integer> instances() {
        long now = nowNanos();
        Map<InstanceState, Integer> count = new EnumMap<>(InstanceState.class);
        for (InstanceState each : InstanceState.values()) {
            count.put(each, 0);
        }
        for (ServedObject served : objects.values()) {
            for (Instance each : served.instances()) {
                count.merge(each.state(now), 1, Integer::sum);
            }
        }
        return count;
    }

    /** Returns some of the hosts that have joined. */
    public List<HostView> viewHosts(int most) {
        long now = nowNanos();
        return hosts.values().stream()
                .filter(each -> !each.place().locators().isEmpty())
                .limit(most)
                .map(each -> new HostView(
                        each.guid,
                        each.place().epoch(),
                        each.place().locators(),
                        each.leaseNanos(now) / NANOS_PER_MILLI,
                        each.association() != null))
                .toList();
    }

    /** Returns some of the instances. */
    public List<InstanceView> viewInstances(int most) {
        long now = nowNanos();
        return objects.values().stream()
                .flatMap(served -> Arrays.stream(served.instances()))
                .limit(most)
                .map(each -> new InstanceView(
                        each.guid, each.offer, each.state(now), each.flows.get(), each.leaseNanos(now) / NANOS_PER_MILLI))
                .toList();
    }
}
