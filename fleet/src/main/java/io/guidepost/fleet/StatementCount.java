package io.guidepost.fleet;

/** Counters of what a front end asks its cluster. */
public enum StatementCount {
    /** Statements of the table of records: handles, and all else that is compared and set; names are looked for there too. */
    STATEMENTS_RECORDS,
    /** Statements of the table of places: names of GNRS. */
    STATEMENTS_PLACES,
    /** Statements of the lists of keys. */
    STATEMENTS_LISTED,
    /** Statements of the table of records that were refused or not answered. */
    FAILURES_RECORDS,
    /** Statements of the table of places that were refused or not answered. */
    FAILURES_PLACES,
    /** Statements of the lists of keys that were refused or not answered. */
    FAILURES_LISTED
}
