package io.guidepost.bench.gate;

import io.guidepost.bench.scene.BenchResult;
import io.guidepost.bench.scene.MedianSpread;
import java.util.Optional;

/**
 * A place in the table of a scene, written {@code ROW: FIGURE}.
 *
 * @param row first cell of the row
 * @param figure heading of the column
 */
record GateFigure(String row, String figure) {
    private static final String BETWEEN = ": ";

    /** Parses it; throws IllegalArgumentException. */
    static GateFigure parse(String text) {
        int at = text.indexOf(BETWEEN);
        if (at <= 0) {
            throw new IllegalArgumentException("'" + text + "' is not 'ROW: FIGURE', such as 'C responder: CPU us/reply'");
        }
        return new GateFigure(text.substring(0, at), text.substring(at + BETWEEN.length()).strip());
    }

    Optional<MedianSpread> of(BenchResult result) {
        return result.spread(row, figure);
    }

    @Override
    public String toString() {
        return row + BETWEEN + figure;
    }
}
