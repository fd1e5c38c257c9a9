package io.guidepost.dns.transfer;

import io.guidepost.base.Addresses;
import io.guidepost.base.Malformed;
import io.guidepost.base.SharedCounters;
import io.guidepost.dns.CommitterTask;
import io.guidepost.dns.DnsContext;
import io.guidepost.dns.DnsSettings;
import io.guidepost.dns.ZoneRecords;
import io.guidepost.dns.wire.DnsFault;
import io.guidepost.dns.wire.DnsLimits;
import io.guidepost.dns.wire.DnsQueryFlyweight;
import io.guidepost.dns.wire.DnsWire;
import io.guidepost.names.Name;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;

/**
 * Transfers of the zone to secondaries: all of it (AXFR, RFC 5936), or what has changed since a serial (IXFR, RFC 1995). Thread-safe.
 *
 * <p>A zone is sent as it was at the serial that the transfer began at, though the store goes on: it is read in parts, and in
 * place of what has changed since then the journal has what was before. A read is compared with the journal only when the
 * committer has come past it, as it tells the journal of a change a little after the change can be read.
 */
public final class ZoneTransfers {
    /** Takes the messages of a transfer. */
    @FunctionalInterface
    public interface Sink {
        /** Sends one; waits while the secondary is slow. */
        void send(byte[] message) throws IOException;
    }

    private final DnsContext context;
    private final ZoneJournal journal;
    private final int readMax;
    private final Semaphore free = new Semaphore(TransferLimits.TRANSFERS_MAX);
    private final SharedCounters<TransferCount> counts = new SharedCounters<>(TransferCount.class);

    /** Creates it for a zone whose changes a journal keeps. */
    public ZoneTransfers(DnsContext context, ZoneJournal journal) {
        this(context, journal, DnsLimits.PART_MAX);
    }

    /**
     * Creates it.
     *
     * @param readMax names that are read from the store at a time
     */
    public ZoneTransfers(DnsContext context, ZoneJournal journal, int readMax) {
        this.readMax = readMax;
        this.context = context;
        this.journal = journal;
    }

    /** Returns the counters; any thread may read and count. */
    public SharedCounters<TransferCount> counts() {
        return counts;
    }

    /** Returns whether a message asks for a transfer that its sender may have. */
    public boolean isFor(byte[] message, InetSocketAddress peer) {
        DnsSettings settings = context.settings().get();
        if (settings.transfers().isEmpty() || !isTyped(message)) {
            return false;
        }
        DnsQueryFlyweight query = new DnsQueryFlyweight();
        return query.parse(MemorySegment.ofArray(message), 0, message.length) == DnsFault.OK
                && query.queryClass() == DnsWire.IN
                && query.isAbout(settings.zone())
                && settings.mayTransfer(Addresses.high(peer.getAddress()), Addresses.low(peer.getAddress()));
    }

    /** Returns whether the question, if it is one, has the type of a transfer: other messages are to cost no more than this. */
    private static boolean isTyped(byte[] message) {
        int at = DnsWire.HEADER_BYTES;
        while (at < message.length && message[at] > 0) {
            at += 1 + message[at];
        }
        int type = at + 2 < message.length ? Byte.toUnsignedInt(message[at + 1]) << Byte.SIZE | Byte.toUnsignedInt(message[at + 2]) : 0;
        return type == DnsWire.AXFR || type == DnsWire.IXFR;
    }

    /**
     * Sends what a message asks for, see {@link #isFor}; for threads that may wait.
     *
     * @throws IOException if it could not be sent, or read: the connection is to be closed
     */
    public void send(byte[] message, Sink sink) throws IOException {
        if (!free.tryAcquire()) {
            counts.add(TransferCount.TRANSFERS_REFUSED);
            throw new IOException("too many transfers are under way");
        }
        try {
            DnsQueryFlyweight query = new DnsQueryFlyweight();
            query.parse(MemorySegment.ofArray(message), 0, message.length);
            TransferWriter writer = new TransferWriter(message, query.questionEnd(), sink::send);
            ZoneRecords records = new ZoneRecords(context.settings().get());
            counts.add(send(query, writer, records));
        } catch (IOException | RuntimeException e) {
            counts.add(TransferCount.TRANSFERS_FAILED);
            throw e;
        } finally {
            free.release();
        }
    }

    private TransferCount send(DnsQueryFlyweight query, TransferWriter writer, ZoneRecords records) throws IOException {
        if (query.type() == DnsWire.IXFR) {
            Optional<List<ZoneJournal.Change>> changes = journal.since(query.serial());
            if (changes.isPresent() && changes.get().isEmpty() || query.serial() == journal.serial()) {
                writer.write(records.soa(query.serial()));
                writer.end();
                return TransferCount.TRANSFERS_CURRENT;
            }
            if (changes.isPresent()) {
                incremental(query.serial(), changes.get(), writer, records);
                return TransferCount.TRANSFERS_INCREMENTAL;
            }
        }
        full(writer, records);
        return TransferCount.TRANSFERS_FULL;
    }

    /** Sends the difference between two serials as one sequence (RFC 1995 section 6). */
    private static void incremental(int from, List<ZoneJournal.Change> changes, TransferWriter writer, ZoneRecords records)
            throws IOException {
        ZoneRecords.ZoneRecord last = records.soa(changes.getLast().serial());
        Map<Name, ZoneJournal.Change> newest = new LinkedHashMap<>();
        changes.forEach(each -> newest.put(name(each.key()), each));
        List<ZoneRecords.ZoneRecord> added = new ArrayList<>();
        writer.write(last);
        writer.write(records.soa(from));
        for (Map.Entry<Name, ZoneJournal.Change> each : oldest(changes).entrySet()) {
            ZoneJournal.Change first = each.getValue();
            Set<ZoneRecords.ZoneRecord> removed = new LinkedHashSet<>(records.of(first.key(), first.before()));
            ZoneJournal.Change since = newest.getOrDefault(each.getKey(), first);
            List<ZoneRecords.ZoneRecord> now = records.of(since.key(), since.after());
            now.stream().filter(record -> !removed.contains(record)).forEach(added::add);
            now.forEach(removed::remove);
            for (ZoneRecords.ZoneRecord record : removed) {
                writer.write(record);
            }
        }
        writer.write(last);
        for (ZoneRecords.ZoneRecord record : added) {
            writer.write(record);
        }
        writer.write(last);
        writer.end();
    }

    /** Returns the first change of each name. */
    private static Map<Name, ZoneJournal.Change> oldest(List<ZoneJournal.Change> changes) {
        Map<Name, ZoneJournal.Change> oldest = new LinkedHashMap<>();
        changes.forEach(each -> oldest.putIfAbsent(name(each.key()), each));
        return oldest;
    }

    private static Name name(byte[] key) {
        try {
            return Name.ofKey(key);
        } catch (Malformed e) {
            throw new AssertionError("the store has checked its keys", e);
        }
    }

    private void full(TransferWriter writer, ZoneRecords records) throws IOException {
        int serial = journal.serial();
        writer.write(records.soa(serial));
        for (ZoneRecords.ZoneRecord each : records.servers()) {
            writer.write(each);
        }
        byte[] after = {Name.Namespace.GUID.code()};
        while (after != null) {
            List<Map.Entry<byte[], byte[]>> part = read(after);
            byte[] last = part.size() < readMax ? null : part.getLast().getKey();
            Map<Name, ZoneJournal.Change> changed = changed(serial);
            for (Map.Entry<byte[], byte[]> each : part) {
                ZoneJournal.Change since = changed.remove(name(each.getKey()));
                write(records.of(each.getKey(), since == null ? each.getValue() : since.before()), writer);
            }
            for (ZoneJournal.Change gone : changed.values()) {
                boolean inPart = Arrays.compareUnsigned(gone.key(), after) > 0
                        && (last == null || Arrays.compareUnsigned(gone.key(), last) <= 0);
                write(inPart ? records.of(gone.key(), gone.before()) : List.of(), writer);
            }
            after = last;
        }
        writer.write(records.soa(serial));
        writer.end();
    }

    private static void write(List<ZoneRecords.ZoneRecord> records, TransferWriter writer) throws IOException {
        for (ZoneRecords.ZoneRecord each : records) {
            writer.write(each);
        }
    }

    /** Reads some names and handles behind a key. */
    private List<Map.Entry<byte[], byte[]>> read(byte[] after) throws IOException {
        List<Map.Entry<byte[], byte[]>> part = new ArrayList<>();
        context.store().images(after, (key, image) -> {
            boolean inside = key[0] == Name.Namespace.GUID.code() || key[0] == Name.Namespace.HANDLE.code();
            if (inside) {
                part.add(Map.entry(key, image));
            }
            return inside && part.size() < readMax;
        });
        return part;
    }

    /** Returns the first change since a serial of each name that has changed. */
    private Map<Name, ZoneJournal.Change> changed(int serial) throws IOException {
        // What could be read until now is in the journal then.
        CommitterTask.run(context.store(), () -> {});
        return oldest(journal.since(serial).orElseThrow(() -> new IOException("more has changed than the journal keeps")));
    }
}
