package io.guidepost.scaffold.object;

import io.guidepost.base.Sha256;
import io.guidepost.names.Guid;
import io.guidepost.scaffold.key.Association;
import io.guidepost.scaffold.key.HostKey;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What an object router knows: hosts and where they are, objects and their instances, and the names of objects. All doors of a
 * server share it; any thread may use it.
 */
public final class ObjectRouter {
    private static final int INSTANCE_TEXT_BYTES = 2 * Guid.BYTES + 3;

    private final HostKey own;
    private final HostKey share;
    private final ObjectSettings settings;
    private final Map<Guid, Association> associations = new ConcurrentHashMap<>();
    private final Map<Guid, JoinedHost> hosts = new ConcurrentHashMap<>();
    private final Map<Guid, ServedObject> objects = new ConcurrentHashMap<>();
    private final Map<String, Guid> names = new ConcurrentHashMap<>();

    /**
     * Creates a router that knows nothing yet.
     *
     * @param own its key for good
     * @param share its key of the hour
     */
    public ObjectRouter(HostKey own, HostKey share, ObjectSettings settings) {
        this.own = own;
        this.share = share;
        this.settings = settings;
    }

    /** Returns the GUID of an instance: which object it serves, on which host, at which port. */
    public static Guid instance(Guid object, Guid host, int protocol, int port) {
        byte[] text = new byte[INSTANCE_TEXT_BYTES];
        MemorySegment segment = MemorySegment.ofArray(text);
        object.write(segment, 0);
        host.write(segment, Guid.BYTES);
        text[2 * Guid.BYTES] = (byte) protocol;
        text[2 * Guid.BYTES + 1] = (byte) (port >>> 8);
        text[2 * Guid.BYTES + 2] = (byte) port;
        return Guid.of(Arrays.copyOf(Sha256.of(text), Guid.BYTES));
    }

    HostKey own() {
        return own;
    }

    HostKey share() {
        return share;
    }

    ObjectSettings settings() {
        return settings;
    }

    @Nullable
    Association association(Guid host) {
        return associations.get(host);
    }

    /** Remembers what was agreed with a host, in the place of what was before; returns false if there are too many. */
    boolean put(Association association) {
        if (associations.size() >= settings.hostsMax() && !associations.containsKey(association.peer())) {
            return false;
        }
        associations.put(association.peer(), association);
        return true;
    }

    @Nullable
    JoinedHost host(Guid guid) {
        return hosts.get(guid);
    }

    void put(JoinedHost host) {
        hosts.put(host.guid(), host);
    }

    @Nullable
    ServedObject object(Guid guid) {
        return objects.get(guid);
    }

    @Nullable
    Guid named(String name) {
        return names.get(name);
    }

    /** Gives a name to an object; returns false if another has it. */
    boolean name(String name, Guid object) {
        Guid before = names.putIfAbsent(name, object);
        return before == null || before.equals(object);
    }

    /** Returns an object, which is new if no host has offered it yet; null if there are too many. */
    @Nullable
    ServedObject objectToServe(Guid guid) {
        ServedObject there = objects.get(guid);
        if (there != null || objects.size() >= settings.objectsMax()) {
            return there;
        }
        return objects.computeIfAbsent(guid, ServedObject::new);
    }

    /** Drops what is over; now and then, by any thread. Returns the instances that are gone. */
    public int expire(long nowNanos) {
        int gone = 0;
        for (ServedObject each : objects.values()) {
            gone += each.expire(nowNanos);
        }
        hosts.values().removeIf(each -> !each.isHere(nowNanos));
        return gone;
    }
}
