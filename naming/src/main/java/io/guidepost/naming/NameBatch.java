package io.guidepost.naming;

import io.guidepost.web.HttpRequest;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Runs the operations of a batch in their order. Writes that follow each other go to the disk together; a read waits for those
 * before it.
 */
final class NameBatch {
    /** Reads a name for an operation. */
    interface Read {
        NamedRecord read(BatchReader.Operation operation, InetAddress client) throws Problem, IOException;
    }

    /** A write that is on its way, and the place of its result. */
    private record UnderWay(int index, BatchReader.Operation operation, NameWrite write) {}

    private final NameDirectory names;
    private final HttpRequest request;
    private final Read read;
    private final List<UnderWay> underWay = new ArrayList<>();
    private final List<Object> results = new ArrayList<>();

    NameBatch(NameDirectory names, HttpRequest request, Read read) {
        this.names = names;
        this.request = request;
        this.read = read;
    }

    /** Returns one result for each operation. */
    List<Object> run(List<BatchReader.Operation> operations) throws InterruptedException, IOException {
        for (BatchReader.Operation each : operations) {
            results.add(Map.of());
            try {
                begin(each);
            } catch (Problem e) {
                results.set(results.size() - 1, result(e));
            }
        }
        settle();
        return results;
    }

    private void begin(BatchReader.Operation operation) throws Problem, InterruptedException, IOException {
        int index = results.size() - 1;
        NameEdit edit = operation.edit();
        if (edit == null) {
            names.access().checkRead(request);
            settle();
            NamedRecord found = read.read(operation, request.peer().getAddress());
            results.set(index, JsonWriter.object("status", 200, "record", found));
            return;
        }
        names.access().checkWrite(request, operation.name());
        String parameter = operation.lease();
        Lease lease = parameter == null ? null : names.leases().of(parameter);
        if (names.isShared()) {
            results.set(index, result(operation, names.write(operation.name(), edit.heldBy(lease))));
        } else {
            underWay.add(new UnderWay(index, operation, names.begin(operation.name(), edit.heldBy(lease))));
        }
    }

    private void settle() throws InterruptedException {
        for (UnderWay each : underWay) {
            try {
                results.set(each.index, result(each.operation, each.write.await()));
            } catch (Problem e) {
                results.set(each.index, result(e));
            }
        }
        underWay.clear();
    }

    private static Object result(BatchReader.Operation operation, WriteResult write) {
        if (write.record().places().isEmpty()) {
            boolean absent = operation.op() == BatchReader.Op.DELETE && !write.existed();
            return absent
                    ? result(new Problem(Problem.Kind.NO_SUCH_NAME, operation.name() + " has no places"))
                    : JsonWriter.object("status", 204);
        }
        return JsonWriter.object("status", write.existed() ? 200 : 201, "record", write.record());
    }

    private static Object result(Problem problem) {
        return JsonWriter.object("status", problem.status(), "problem", problem.json());
    }
}
