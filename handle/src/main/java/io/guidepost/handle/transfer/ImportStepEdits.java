package io.guidepost.handle.transfer;

import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.record.RecordEdit;
import io.guidepost.handle.value.HandleValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The edits of steps, without access control: a user with the store's files may change everything. */
final class ImportStepEdits {
    private ImportStepEdits() {}

    /**
     * Returns the edit of a step.
     *
     * @param keep whether an existing record is kept where the step would replace it
     */
    static RecordEdit of(ImportStep.OfRecord step, boolean keep) {
        return (current, nowSeconds) -> switch (step) {
            case ImportStep.Put it -> put(current, it.record(), keep);
            case ImportStep.Create it -> create(current, it.record(), nowSeconds);
            default ->
                current.isPresent() ? edited(step, current.get(), nowSeconds) : refused(ResponseCode.HANDLE_NOT_FOUND);
        };
    }

    private static RecordEdit.Next edited(ImportStep.OfRecord step, HandleRecord record, long nowSeconds) {
        return switch (step) {
            case ImportStep.Add it -> add(record, it.values(), nowSeconds);
            case ImportStep.Remove it -> remove(record, it.indexes());
            case ImportStep.Modify it -> modify(record, it.values(), nowSeconds);
            default -> new RecordEdit.Next.Deleted();
        };
    }

    private static RecordEdit.Next refused(ResponseCode code) {
        return new RecordEdit.Next.Refused(code, code.text());
    }

    private static RecordEdit.Next put(Optional<HandleRecord> current, HandleRecord record, boolean keep) {
        if (current.isPresent() && keep) {
            return refused(ResponseCode.HANDLE_EXISTS);
        }
        return current.equals(Optional.of(record))
                ? new RecordEdit.Next.Refused(ResponseCode.SUCCESS, "")
                : new RecordEdit.Next.Written(record, current.isPresent());
    }

    private static RecordEdit.Next create(Optional<HandleRecord> current, HandleRecord record, long nowSeconds) {
        if (current.isEmpty()) {
            return new RecordEdit.Next.Written(dated(record, nowSeconds), false);
        }
        // So that an import can be repeated.
        return dated(current.get(), 0).values().equals(dated(record, 0).values())
                ? new RecordEdit.Next.Refused(ResponseCode.SUCCESS, "")
                : refused(ResponseCode.HANDLE_EXISTS);
    }

    private static RecordEdit.Next add(HandleRecord record, List<HandleValue> values, long nowSeconds) {
        List<HandleValue> all = new ArrayList<>(record.values());
        for (HandleValue each : values) {
            if (all.stream().anyMatch(other -> other.index() == each.index())) {
                return refused(ResponseCode.VALUE_EXISTS);
            }
            all.add(each.changedAt(nowSeconds));
        }
        return new RecordEdit.Next.Written(new HandleRecord(record.handle(), all), true);
    }

    private static RecordEdit.Next remove(HandleRecord record, List<Integer> indexes) {
        for (int each : indexes) {
            if (record.value(each).isEmpty()) {
                return refused(ResponseCode.VALUES_NOT_FOUND);
            }
        }
        List<HandleValue> left = record.values().stream()
                .filter(each -> !indexes.contains(each.index()))
                .toList();
        return left.isEmpty()
                ? new RecordEdit.Next.Refused(ResponseCode.INVALID_VALUE, "no value would be left")
                : new RecordEdit.Next.Written(new HandleRecord(record.handle(), left), true);
    }

    private static RecordEdit.Next modify(HandleRecord record, List<HandleValue> values, long nowSeconds) {
        List<HandleValue> all = new ArrayList<>(record.values());
        for (HandleValue each : values) {
            if (!all.removeIf(other -> other.index() == each.index())) {
                return refused(ResponseCode.VALUES_NOT_FOUND);
            }
            all.add(each.changedAt(nowSeconds));
        }
        return new RecordEdit.Next.Written(new HandleRecord(record.handle(), all), true);
    }

    private static HandleRecord dated(HandleRecord record, long nowSeconds) {
        return new HandleRecord(
                record.handle(),
                record.values().stream().map(each -> each.changedAt(nowSeconds)).toList());
    }
}
