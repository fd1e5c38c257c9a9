package io.guidepost.handle.transfer;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.record.HandleRecords;
import io.guidepost.handle.record.HomedPrefixes;
import io.guidepost.handle.record.PipelinedWrites;
import io.guidepost.handle.record.RecordEdit;
import io.guidepost.handle.record.StoredHandleRecord;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.store.RecordStore;
import java.io.IOException;
import java.util.Optional;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Imports a source into the store, with thousands of changes in flight that share its group commits; the committer
 * applies them in the order of the source. At every checkpoint all changes are awaited, and the position in the source
 * is saved in the store: an interrupted import resumes there. Repeating a part does no harm to dumps, as an identical
 * record is not written again.
 *
 * <p>Items that fail are skipped, reported, and counted. Not thread-safe.
 */
public final class HandleImport {
    /** Changes in flight: as many as share a group commit. */
    private static final int UNDER_WAY_MAX = 4096;

    /** Items between two checkpoints. */
    private static final int NOTE_EVERY = 50_000;

    private final HandleRecords records;
    private final HomedPrefixes homes;
    private final ImportCheckpoints notes;
    private final boolean keep;
    private final ImportReport report;
    private final int noteEvery;
    private final PipelinedWrites writes;

    /**
     * Creates it over a store.
     *
     * @param keep whether existing records are kept; otherwise those of dumps and tables replace them
     * @param report counts everything that is done and skipped
     */
    public HandleImport(HandleRecords records, HomedPrefixes homes, boolean keep, ImportReport report) {
        this(records, homes, keep, report, NOTE_EVERY);
    }

    HandleImport(HandleRecords records, HomedPrefixes homes, boolean keep, ImportReport report, int noteEvery) {
        this.records = records;
        this.homes = homes;
        this.keep = keep;
        this.report = report;
        this.noteEvery = noteEvery;
        this.notes = new ImportCheckpoints(records.store());
        this.writes = new PipelinedWrites(records.store(), UNDER_WAY_MAX);
    }

    /** Returns the number of items that an interrupted import of a source has done; 0 if there was none. */
    public long done(ImportSource source) throws IOException {
        return notes.get(source.identity());
    }

    /**
     * Imports all items of a source after those of an interrupted import.
     *
     * @param progress takes the number of items done and the source, now and then
     * @throws IOException if the source cannot be read or the store does not write; what was done before stays, and the
     *     same call resumes
     */
    public void run(ImportSource source, ObjLongConsumer<ImportSource> progress) throws IOException {
        long done = notes.get(source.identity());
        for (long i = 0; i < done; i++) {
            source.next();
        }
        report.resumed(done);
        long count = done;
        for (Optional<ImportItem> each = source.next(); each.isPresent(); each = source.next()) {
            take(each.get());
            count++;
            if (count % noteEvery == 0) {
                writes.settle();
                notes.put(source.identity(), count);
            }
            if ((count & 0xff) == 0) {
                progress.accept(source, count);
            }
        }
        writes.settle();
        notes.remove(source.identity());
        progress.accept(source, count);
    }

    private void take(ImportItem item) throws IOException {
        switch (item) {
            case ImportItem.Faulty faulty -> report.skipped(faulty.where(), faulty.reason());
            case ImportItem.Of of -> {
                switch (of.step()) {
                    case ImportStep.OfRecord step -> submit(of.where(), step);
                    case ImportStep.Home home -> home(of.where(), home.prefixHandle(), true);
                    case ImportStep.Unhome unhome -> home(of.where(), unhome.prefixHandle(), false);
                    // A user with the store's files needs no rights.
                    case ImportStep.BySecret _, ImportStep.ByKey _, ImportStep.Session _ -> {}
                }
            }
        }
    }

    private void home(String where, Handle prefixHandle, boolean home) throws IOException {
        if (!prefixHandle.isPrefixHandle()) {
            report.skipped(where, "a prefix handle is 0.NA/ and a prefix, not " + prefixHandle);
        } else if (home ? homes.home(prefixHandle) : homes.unhome(prefixHandle)) {
            report.count(home ? ImportReport.Count.HOMED : ImportReport.Count.UNHOMED);
        }
    }

    private void submit(String where, ImportStep.OfRecord step) throws IOException {
        Optional<String> wrong = wrong(step);
        if (wrong.isPresent()) {
            report.skipped(where, step.handle() + ": " + wrong.get());
            return;
        }
        Writing writing = new Writing(where, step);
        writes.submit(records.key(step.handle()).orElseThrow().key(), writing, writing);
    }

    /** Returns the reason why no server accepts a record. */
    private Optional<String> wrong(ImportStep.OfRecord step) {
        if (records.key(step.handle()).isEmpty()) {
            return Optional.of("the name is empty or too long");
        }
        if (!step.handle().isUtf8()) {
            return Optional.of("the name is not UTF-8");
        }
        return switch (step) {
            case ImportStep.Put it -> wrong(it.record());
            case ImportStep.Create it -> wrong(it.record());
            default -> Optional.empty();
        };
    }

    private static Optional<String> wrong(HandleRecord record) {
        if (record.values().isEmpty()) {
            return Optional.of("the record has no values");
        }
        if (record.values().size() > HandleLimits.VALUES_MAX) {
            return Optional.of("a record has at most " + HandleLimits.VALUES_MAX + " values, not " + record.values().size());
        }
        return record.values().stream()
                .mapToInt(HandleValue::index)
                .filter(index -> index <= 0)
                .mapToObj(index -> "an index is above 0, not " + index)
                .findFirst();
    }

    /** A change in the store's queue; the committer runs its second half. */
    private final class Writing implements RecordStore.Replace, RecordStore.Completion {
        private final String where;
        private final ImportStep.OfRecord step;
        private RecordEdit.Next next = new RecordEdit.Next.Refused(ResponseCode.ERROR, "");

        Writing(String where, ImportStep.OfRecord step) {
            this.where = where;
            this.step = step;
        }

        @Override
        public byte[] apply(byte[] key, byte @Nullable [] current, long version, long nowMillis) {
            try {
                Optional<HandleRecord> before =
                        current == null ? Optional.empty() : Optional.of(StoredHandleRecord.read(current));
                next = ImportStepEdits.of(step, keep).apply(before, nowMillis / 1000);
                return switch (next) {
                    case RecordEdit.Next.Written written -> StoredHandleRecord.write(key, version, written.record());
                    case RecordEdit.Next.Deleted _ -> DELETE;
                    case RecordEdit.Next.Refused _ -> KEEP;
                };
            } catch (Malformed e) {
                next = new RecordEdit.Next.Refused(ResponseCode.ERROR, "the stored record is damaged: " + e.getMessage());
            } catch (IllegalArgumentException e) {
                next = new RecordEdit.Next.Refused(ResponseCode.INVALID_VALUE, String.valueOf(e.getMessage()));
            }
            return KEEP;
        }

        @Override
        public void complete(RecordStore.Outcome outcome, long version) {
            if (outcome == RecordStore.Outcome.FAILED) {
                return;
            }
            switch (next) {
                case RecordEdit.Next.Written written ->
                    report.count(written.replaced() ? ImportReport.Count.REPLACED : ImportReport.Count.CREATED);
                case RecordEdit.Next.Deleted _ -> report.count(ImportReport.Count.DELETED);
                case RecordEdit.Next.Refused refused when refused.code() == ResponseCode.SUCCESS ->
                    report.count(ImportReport.Count.UNCHANGED);
                case RecordEdit.Next.Refused _ when keep && step instanceof ImportStep.Put -> report.count(ImportReport.Count.KEPT);
                case RecordEdit.Next.Refused refused -> report.skipped(where, step.handle() + ": " + refused.text());
            }
        }
    }
}
