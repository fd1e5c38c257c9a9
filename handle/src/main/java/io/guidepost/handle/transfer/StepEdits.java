package io.guidepost.handle.transfer;

import io.guidepost.handle.HandleValue;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.record.Edit;
import io.guidepost.handle.record.HandleRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What steps do to records, without asking for rights: whoever has the store's files has all of them. */
final class StepEdits {
    private StepEdits() {}

    /**
     * The edit that a step is.
     *
     * @param keep whether a record that is there stays as it is, where the step would put another in its place
     */
    static Edit of(Step.OfRecord step, boolean keep) {
        return (current, nowSeconds) -> switch (step) {
            case Step.Put it -> put(current, it.record(), keep);
            case Step.Create it -> create(current, it.record(), nowSeconds);
            case Step.Delete _ ->
                current.isPresent() ? new Edit.Next.Deleted() : refused(ResponseCode.HANDLE_NOT_FOUND);
            case Step.Add it -> add(current, it.values(), nowSeconds);
            case Step.Remove it -> remove(current, it.indexes());
            case Step.Modify it -> modify(current, it.values(), nowSeconds);
        };
    }

    private static Edit.Next refused(ResponseCode code) {
        return new Edit.Next.Refused(code, code.text());
    }

    private static Edit.Next put(Optional<HandleRecord> current, HandleRecord record, boolean keep) {
        if (current.isPresent() && keep) {
            return refused(ResponseCode.HANDLE_EXISTS);
        }
        return current.equals(Optional.of(record))
                ? new Edit.Next.Refused(ResponseCode.SUCCESS, "")
                : new Edit.Next.Written(record, current.isPresent());
    }

    private static Edit.Next create(Optional<HandleRecord> current, HandleRecord record, long nowSeconds) {
        if (current.isEmpty()) {
            return new Edit.Next.Written(dated(record, nowSeconds), false);
        }
        // So that an import may be given again.
        return dated(current.get(), 0).values().equals(dated(record, 0).values())
                ? new Edit.Next.Refused(ResponseCode.SUCCESS, "")
                : refused(ResponseCode.HANDLE_EXISTS);
    }

    private static Edit.Next add(Optional<HandleRecord> current, List<HandleValue> values, long nowSeconds) {
        if (current.isEmpty()) {
            return refused(ResponseCode.HANDLE_NOT_FOUND);
        }
        List<HandleValue> all = new ArrayList<>(current.get().values());
        for (HandleValue each : values) {
            if (all.stream().anyMatch(other -> other.index() == each.index())) {
                return refused(ResponseCode.VALUE_EXISTS);
            }
            all.add(each.changedAt(nowSeconds));
        }
        return new Edit.Next.Written(new HandleRecord(current.get().handle(), all), true);
    }

    private static Edit.Next remove(Optional<HandleRecord> current, List<Integer> indexes) {
        if (current.isEmpty()) {
            return refused(ResponseCode.HANDLE_NOT_FOUND);
        }
        for (int each : indexes) {
            if (current.get().value(each).isEmpty()) {
                return refused(ResponseCode.VALUES_NOT_FOUND);
            }
        }
        List<HandleValue> left = current.get().values().stream()
                .filter(each -> !indexes.contains(each.index()))
                .toList();
        return left.isEmpty()
                ? new Edit.Next.Refused(ResponseCode.INVALID_VALUE, "no value would be left")
                : new Edit.Next.Written(new HandleRecord(current.get().handle(), left), true);
    }

    private static Edit.Next modify(Optional<HandleRecord> current, List<HandleValue> values, long nowSeconds) {
        if (current.isEmpty()) {
            return refused(ResponseCode.HANDLE_NOT_FOUND);
        }
        List<HandleValue> all = new ArrayList<>(current.get().values());
        for (HandleValue each : values) {
            if (!all.removeIf(other -> other.index() == each.index())) {
                return refused(ResponseCode.VALUES_NOT_FOUND);
            }
            all.add(each.changedAt(nowSeconds));
        }
        return new Edit.Next.Written(new HandleRecord(current.get().handle(), all), true);
    }

    private static HandleRecord dated(HandleRecord record, long nowSeconds) {
        return new HandleRecord(
                record.handle(),
                record.values().stream().map(each -> each.changedAt(nowSeconds)).toList());
    }
}
