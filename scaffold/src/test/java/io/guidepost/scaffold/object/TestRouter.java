package io.guidepost.scaffold.object;

import io.guidepost.base.Malformed;
import io.guidepost.scaffold.key.HostKey;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.embedded.EmbeddedStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;

/** An object router with one door, a store in memory whose committer works when the door is asked, and a clock. */
final class TestRouter {
    private static final SecureRandom RANDOM = new SecureRandom();

    final EmbeddedStore store;
    final ObjectRouter router;
    final ObjectDoor door;

    /** Set by tests; milliseconds, of the time of day and of leases. */
    long now = 1_800_000_000_000L;

    /** Whether the committer works. */
    boolean writes = true;

    /** Whether the disk refuses each write. */
    boolean refuses;

    private TestRouter(EmbeddedStore store, ObjectSettings settings) {
        this.store = store;
        try {
            router = ObjectRouter.open(
                    HostKey.generate(RANDOM), () -> HostKey.generate(RANDOM), settings, refusing(), () -> now * 1_000_000);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        door = new ObjectDoor(router, Distance.EQUAL, new byte[16], () -> {});
    }

    static TestRouter of(ObjectSettings settings) {
        try {
            return new TestRouter(
                    EmbeddedStore.open(StoreOptions.inMemory()
                            .withStepped(true)
                            .withClock(() -> Instant.ofEpochMilli(1_800_000_000_000L))
                            .withDerivation(new ObjectDerivation())),
                    settings);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The store, of which writes fail where the test wants that. */
    private RecordStore refusing() {
        return (RecordStore) Proxy.newProxyInstance(
                RecordStore.class.getClassLoader(), new Class<?>[] {RecordStore.class}, (_, method, arguments) -> {
                    if (refuses && method.getName().equals("submit")) {
                        ((RecordStore.Completion) arguments[2]).complete(RecordStore.Outcome.FAILED, 0);
                        return true;
                    }
                    return method.invoke(store, arguments);
                });
    }

    static TestRouter of(int hostsMax, int objectsMax, String... allowed) {
        try {
            return of(new ObjectSettings(AllowedHosts.parse(List.of(allowed)), hostsMax, objectsMax, 30_000, 100));
        } catch (Malformed e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** One that allows all, and is large enough. */
    static TestRouter open() {
        return of(200, 100, "0.0.0.0/0", "::/0");
    }

    /** Another one with the same store, as after a restart. */
    TestRouter restarted() {
        TestRouter next = new TestRouter(store, router.settings());
        next.now = now;
        return next;
    }

    long count(ObjectCount count) {
        return door.counts().get(count);
    }

    /** Lets the committer do all that waits. */
    void commit() {
        while (writes && store.work() > 0) {}
    }
}
