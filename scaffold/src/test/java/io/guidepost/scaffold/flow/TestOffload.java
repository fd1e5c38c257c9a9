package io.guidepost.scaffold.flow;

import io.guidepost.packet.bpf.FlowOffload;
import java.util.ArrayList;
import java.util.List;

/** A table of a kernel that does nothing but what a test says. */
final class TestOffload implements FlowOffload {
    /** A row, and what its kernel has counted. */
    static final class Row {
        final Headers before;
        final Headers after;
        long packets;
        int next;
        int acknowledgment;
        boolean removed;

        private Row(Headers before, Headers after, int next, int acknowledgment) {
            this.before = before;
            this.after = after;
            this.next = next;
            this.acknowledgment = acknowledgment;
        }
    }

    final List<Row> rows = new ArrayList<>();
    int rowsMax;

    @Override
    public int add(int protocol, Headers before, Headers after, int next, int acknowledgment) {
        if (rows.size() == rowsMax) {
            return NO_ROW;
        }
        rows.add(new Row(before, after, next, acknowledgment));
        return rows.size() - 1;
    }

    @Override
    public void remove(int row) {
        rows.get(row).removed = true;
    }

    @Override
    public long packets(int row) {
        return rows.get(row).packets;
    }

    @Override
    public long bytes(int row) {
        return rows.get(row).packets * 100;
    }

    @Override
    public int next(int row) {
        return rows.get(row).next;
    }

    @Override
    public int acknowledgment(int row) {
        return rows.get(row).acknowledgment;
    }
}
