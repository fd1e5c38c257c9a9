package io.guidepost.fleet;

import io.guidepost.base.Malformed;
import io.guidepost.store.PlaceRows;
import io.guidepost.store.PlaceRows.PlaceRow;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The places of a name: what is read of its partition, or is merged into it.
 *
 * @param cells at most one for each place
 * @param cleared the stamp of the last UPDATE; 0 = none
 * @param text of the name; null if it is not known
 * @param stamp of the write that says the text
 * @param ttlSeconds after which the cluster drops stamp and text; 0 = never, or not asked
 */
record PlaceCells(List<PlaceCell> cells, long cleared, byte @Nullable [] text, long stamp, int ttlSeconds) {
    static final PlaceCells NONE = new PlaceCells(List.of(), 0, null, 0, 0);

    /**
     * Returns what they say.
     *
     * @throws Malformed if that is damaged
     */
    PlaceRows rows() throws Malformed {
        if (cells.size() > FleetLimits.PLACES_MAX) {
            throw new Malformed("a name has more than " + FleetLimits.PLACES_MAX + " places in the cluster", 0);
        }
        List<PlaceRow> rows = new ArrayList<>(cells.size());
        for (PlaceCell each : cells) {
            rows.add(each.row());
        }
        Optional<String> known = Optional.ofNullable(text).map(each -> new String(each, StandardCharsets.UTF_8));
        return rows.isEmpty() && cleared == 0 && known.isEmpty() ? PlaceRows.NONE : new PlaceRows(rows, cleared, known, List.of());
    }
}
