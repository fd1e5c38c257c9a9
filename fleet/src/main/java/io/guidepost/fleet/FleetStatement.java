package io.guidepost.fleet;

/** The statements of a front end in CQL; those of the tables' making are in {@link FleetSchema}. */
public enum FleetStatement {
    READ("SELECT version, change, image, before, settled FROM %s.records WHERE key = ?", true),
    PLACES("SELECT place, said, WRITETIME(said), cleared, text, WRITETIME(text) FROM %s.places WHERE key = ? LIMIT ?", true),
    /** Of rows alone: a deletion of the partition would take away the text too. */
    CLEAR("DELETE FROM %s.places USING TIMESTAMP ? WHERE key = ? AND place >= 0x", true),
    CLEARED("UPDATE %s.places USING TIMESTAMP ? AND TTL ? SET cleared = ? WHERE key = ?", true),
    TEXT("UPDATE %s.places USING TIMESTAMP ? AND TTL ? SET text = ? WHERE key = ?", true),
    PLACE("UPDATE %s.places USING TIMESTAMP ? AND TTL ? SET said = ? WHERE key = ? AND place = ?", true),
    /** An UPDATE writes no row marker, so that a row whose columns have expired is gone, and may be made again. */
    COMPARE_AND_SET(
            "UPDATE %s.records USING TTL ? SET version = ?, change = ?, image = ?, before = ?, settled = ? WHERE key = ? IF version = ?",
            false),
    SETTLE("UPDATE %s.records USING TTL ? SET before = null, settled = true WHERE key = ? IF version = ?", false),
    LIST_BY_ROW("UPDATE %s.listed USING TIMESTAMP ? AND TTL ? SET by_row = by_row + ? WHERE bucket = ? AND key = ?", true),
    LIST_BY_PLACES("UPDATE %s.listed USING TIMESTAMP ? AND TTL ? SET by_places = by_places + ? WHERE bucket = ? AND key = ?", true),
    UNLIST_BY_ROW("DELETE by_row FROM %s.listed USING TIMESTAMP ? WHERE bucket = ? AND key = ?", true),
    UNLIST_BY_PLACES("DELETE by_places FROM %s.listed USING TIMESTAMP ? WHERE bucket = ? AND key = ?", true),
    LISTED("SELECT key FROM %s.listed WHERE bucket = ? AND key >= ? LIMIT ?", true);

    private final String text;
    private final boolean idempotent;

    FleetStatement(String text, boolean idempotent) {
        this.text = text;
        this.idempotent = idempotent;
    }

    /** Returns its text for the tables of a keyspace. */
    public String text(String keyspace) {
        return text.formatted(FleetSchema.quoted(keyspace));
    }

    /** Returns whether it may be sent again without being asked for. */
    public boolean idempotent() {
        return idempotent;
    }
}
