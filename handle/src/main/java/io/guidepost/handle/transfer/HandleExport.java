package io.guidepost.handle.transfer;

import io.guidepost.handle.Handle;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.record.HandleRecords;
import io.guidepost.handle.record.HomedPrefixes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;

/** Exports the store's prefixes and records, in the order of their names, one by one. */
public final class HandleExport {
    private final HandleRecords records;
    private final HomedPrefixes homes;

    /** Creates it over a store. */
    public HandleExport(HandleRecords records, HomedPrefixes homes) {
        this.records = records;
        this.homes = homes;
    }

    /**
     * Exports all records, or those of one prefix.
     *
     * @param prefix such as {@code 10.5}; empty for all
     * @param skipped takes records that the format cannot hold: the handle, and the reason
     * @param progress takes the number of records written, now and then
     * @return number of records written
     */
    public long run(
            Optional<String> prefix, ExportWriter out, BiConsumer<Handle, String> skipped, LongConsumer progress)
            throws IOException {
        for (String each : homes.all()) {
            if (prefix.isEmpty() || Handle.of(each).equalsFolded(Handle.ofPrefix(prefix.get()))) {
                out.home(Handle.of(each));
            }
        }
        long[] count = new long[1];
        byte[] start = prefix.map(HandleExport::start).orElse(new byte[0]);
        try {
            records.scan(start, null, record -> {
                count[0] += write(record, out, skipped);
                if ((count[0] & 0xff) == 0) {
                    progress.accept(count[0]);
                }
                return true;
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return count[0];
    }

    private static byte[] start(String prefix) {
        return Handle.of(prefix + "/").folded();
    }

    private static int write(HandleRecord record, ExportWriter out, BiConsumer<Handle, String> skipped) {
        try {
            Optional<String> why = out.write(record);
            why.ifPresent(text -> skipped.accept(record.handle(), text));
            return why.isEmpty() ? 1 : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
