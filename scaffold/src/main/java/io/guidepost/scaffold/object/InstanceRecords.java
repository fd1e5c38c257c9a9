package io.guidepost.scaffold.object;

import io.guidepost.names.Guid;
import io.guidepost.names.Name;
import io.guidepost.scaffold.wire.HostLocator;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordStore;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What an object router knows and is to know after a restart, as records of its own namespace. Thread-safe: no method but
 * {@link #load} waits.
 *
 * <pre>
 *  key, behind the namespace     form
 *  'h', GUID of a host           per place, the preferred one first: address 16, port 2
 *  'i', GUID of an instance      as {@link InstanceOffer} draws it
 * </pre>
 *
 * <p>What holds for a lease alone, such as how many flows there are, is in memory.
 */
final class InstanceRecords {
    static final byte HOST = 'h';
    static final byte INSTANCE = 'i';

    /** Takes no notice: the record is looked at again after a restart. */
    static final RecordStore.Completion UNWATCHED = (_, _) -> {};

    private static final byte NAMESPACE = Name.Namespace.SCAFFOLD_STATE.code();
    private static final int KEY_HEAD_BYTES = 2;

    private final RecordStore store;

    InstanceRecords(RecordStore store) {
        this.store = store;
    }

    /** Writes where a host is; returns false if the store's queue is full. */
    boolean putHost(Guid host, List<HostLocator> locators, RecordStore.Completion completion) {
        byte[] form = new byte[locators.size() * HostLocator.BYTES];
        for (int i = 0; i < locators.size(); i++) {
            locators.get(i).write(MemorySegment.ofArray(form), (long) i * HostLocator.BYTES);
        }
        return put(key(HOST, host), form, completion);
    }

    /** Writes an instance; returns false if the store's queue is full. */
    boolean put(Instance instance, RecordStore.Completion completion) {
        return put(key(INSTANCE, instance.guid), instance.offer.form(), completion);
    }

    /** Removes a host or an instance; returns false if the store's queue is full. */
    boolean remove(byte kind, Guid guid, RecordStore.Completion completion) {
        return store.submit(key(kind, guid), (_, _, _, _) -> RecordStore.Change.DELETE, completion);
    }

    private boolean put(byte[] name, byte[] form, RecordStore.Completion completion) {
        return store.submit(
                name,
                (key, current, version, _) -> current != null && Arrays.equals(form(current), form)
                        ? RecordStore.Change.KEEP
                        : RecordImage.writeForm(key, version, form),
                completion);
    }

    /** Passes all hosts, and then all instances. */
    void load(BiConsumer<Guid, List<HostLocator>> hosts, BiConsumer<Guid, InstanceOffer> instances) throws IOException {
        load(HOST, (guid, form) -> hosts.accept(guid, locators(form)));
        load(INSTANCE, (guid, form) -> instances.accept(guid, InstanceOffer.of(form)));
    }

    private void load(byte kind, BiConsumer<Guid, byte[]> forms) throws IOException {
        store.scan(new byte[] {NAMESPACE, kind}, null, record -> {
            forms.accept(guid(record.name().key()), record.values().getFirst().data());
            return true;
        });
    }

    /** Returns whether a key is that of a record of a kind. */
    static boolean is(byte kind, byte[] key) {
        return key[0] == NAMESPACE && key[1] == kind;
    }

    /** Returns the GUID of a host's or instance's record. */
    static Guid guid(byte[] key) {
        return Guid.read(MemorySegment.ofArray(key), KEY_HEAD_BYTES);
    }

    /** Returns the places of a host's stored form; none if there is no record. */
    static List<HostLocator> locatorsOf(byte @Nullable [] image) {
        return image == null ? List.of() : locators(form(image));
    }

    /** Returns the instance of a stored form; null if there is no record. */
    static @Nullable InstanceOffer instanceOf(byte @Nullable [] image) {
        return image == null ? null : InstanceOffer.of(form(image));
    }

    private static byte[] form(byte[] image) {
        MemorySegment segment = MemorySegment.ofArray(image);
        int from = (int) RecordImage.form(segment, 0);
        return Arrays.copyOfRange(image, from, from + RecordImage.formLength(segment, 0));
    }

    private static List<HostLocator> locators(byte[] form) {
        List<HostLocator> locators = new ArrayList<>();
        for (int at = 0; at + HostLocator.BYTES <= form.length; at += HostLocator.BYTES) {
            locators.add(HostLocator.read(MemorySegment.ofArray(form), at));
        }
        return locators;
    }

    private static byte[] key(byte kind, Guid guid) {
        byte[] key = new byte[KEY_HEAD_BYTES + Guid.BYTES];
        key[0] = NAMESPACE;
        key[1] = kind;
        guid.write(MemorySegment.ofArray(key), KEY_HEAD_BYTES);
        return key;
    }
}
