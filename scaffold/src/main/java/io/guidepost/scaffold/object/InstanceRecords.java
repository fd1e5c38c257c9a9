package io.guidepost.scaffold.object;

import io.guidepost.names.Guid;
import io.guidepost.names.Name;
import io.guidepost.names.Record;
import io.guidepost.scaffold.wire.HostLocator;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordStore;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
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
 *  'i', GUID of an instance      object 20 | host 20 | priority 1 | weight 2 | protocol 1 | port 2 | flags 2 | name of the object
 * </pre>
 *
 * <p>What holds for a lease alone, such as how many flows there are, is in memory.
 */
final class InstanceRecords {
    /** Takes no notice: the record is looked at again after a restart. */
    static final RecordStore.Completion UNWATCHED = (_, _) -> {};

    private static final byte NAMESPACE = Name.Namespace.SCAFFOLD_STATE.code();
    private static final byte HOST = 'h';
    private static final byte INSTANCE = 'i';
    private static final int KEY_HEAD_BYTES = 2;
    private static final int INSTANCE_BYTES = 2 * Guid.BYTES + 8;

    /** An instance as a record has it. */
    record Stored(Guid object, Guid host, Instance.Offer service, String name) {}

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

    boolean removeHost(Guid host, RecordStore.Completion completion) {
        return store.submit(key(HOST, host), (_, _, _, _) -> RecordStore.Change.DELETE, completion);
    }

    /** Writes an instance with the name of its object, which may be empty; returns false if the store's queue is full. */
    boolean put(Instance instance, String name, RecordStore.Completion completion) {
        Instance.Offer service = instance.service();
        byte[] text = name.getBytes(StandardCharsets.US_ASCII);
        byte[] form = ByteBuffer.allocate(INSTANCE_BYTES + text.length)
                .put(instance.object().toBytes())
                .put(instance.host().guid().toBytes())
                .put((byte) service.priority())
                .putShort((short) service.weight())
                .put((byte) service.protocol())
                .putShort((short) service.port())
                .putShort((short) service.flags())
                .put(text)
                .array();
        return put(key(INSTANCE, instance.guid()), form, completion);
    }

    boolean remove(Guid instance, RecordStore.Completion completion) {
        return store.submit(key(INSTANCE, instance), (_, _, _, _) -> RecordStore.Change.DELETE, completion);
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
    void load(BiConsumer<Guid, List<HostLocator>> hosts, BiConsumer<Guid, Stored> instances) throws IOException {
        store.scan(new byte[] {NAMESPACE, HOST}, null, record -> {
            hosts.accept(guid(record.name().key()), locators(form(record)));
            return true;
        });
        store.scan(new byte[] {NAMESPACE, INSTANCE}, null, record -> {
            instances.accept(guid(record.name().key()), instance(form(record)));
            return true;
        });
    }

    /** Returns whether a key is that of a host's record. */
    static boolean isHost(byte[] key) {
        return key[0] == NAMESPACE && key[1] == HOST;
    }

    /** Returns whether a key is that of an instance's record. */
    static boolean isInstance(byte[] key) {
        return key[0] == NAMESPACE && key[1] == INSTANCE;
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
    static @Nullable Stored instanceOf(byte @Nullable [] image) {
        return image == null ? null : instance(form(image));
    }

    private static byte[] form(byte[] image) {
        MemorySegment segment = MemorySegment.ofArray(image);
        int from = (int) RecordImage.form(segment, 0);
        return Arrays.copyOfRange(image, from, from + RecordImage.formLength(segment, 0));
    }

    private static byte[] form(Record record) {
        return record.values().getFirst().data();
    }

    private static List<HostLocator> locators(byte[] form) {
        List<HostLocator> locators = new ArrayList<>();
        for (int at = 0; at + HostLocator.BYTES <= form.length; at += HostLocator.BYTES) {
            locators.add(HostLocator.read(MemorySegment.ofArray(form), at));
        }
        return locators;
    }

    private static Stored instance(byte[] form) {
        MemorySegment segment = MemorySegment.ofArray(form);
        ByteBuffer in = ByteBuffer.wrap(form, 2 * Guid.BYTES, form.length - 2 * Guid.BYTES);
        Instance.Offer service = new Instance.Offer(
                Byte.toUnsignedInt(in.get()),
                Short.toUnsignedInt(in.getShort()),
                Byte.toUnsignedInt(in.get()),
                Short.toUnsignedInt(in.getShort()),
                Short.toUnsignedInt(in.getShort()));
        String name = new String(form, INSTANCE_BYTES, form.length - INSTANCE_BYTES, StandardCharsets.US_ASCII);
        return new Stored(Guid.read(segment, 0), Guid.read(segment, Guid.BYTES), service, name);
    }

    private static byte[] key(byte kind, Guid guid) {
        byte[] key = new byte[KEY_HEAD_BYTES + Guid.BYTES];
        key[0] = NAMESPACE;
        key[1] = kind;
        guid.write(MemorySegment.ofArray(key), KEY_HEAD_BYTES);
        return key;
    }
}
