package io.guidepost.packet.filter;

import java.io.IOException;
import java.io.Serial;

/** Thrown when a filter cannot be parsed: the message has the column, what is wrong there, and what would be right. */
final class FilterException extends IOException {
    @Serial
    private final int column;

    FilterException(int column, String what) {
        super("filter, column " + column + ": " + what);
        this.column = column;
    }

    /** Returns the column of the fault, from 1. */
    public int column() {
        return column;
    }
}
