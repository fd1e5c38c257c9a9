package io.guidepost.proximity.oracle;

/**
 * Error codes of the console: a stable number for scripts, and its text. Of the original only the number of
 * {@link #NIC_COUNT} is known.
 */
enum OracleError {
    COMMAND(-100, "unknown command"),
    INCOMPLETE(-101, "incomplete command"),
    TOO_LONG(-102, "too long a line"),
    NUMBER(-110, "invalid number"),
    ADDRESS(-111, "invalid address"),
    PREFIX(-112, "invalid prefix"),
    AS_NUMBER(-113, "invalid AS number"),
    VALUE(-114, "invalid value"),
    ROUTER_UNKNOWN(-120, "unknown router"),
    ROUTER_KNOWN(-121, "router exists already"),
    NIC_COUNT(-122, "invalid NIC count"),
    NIC(-123, "invalid NIC"),
    NIC_UNKNOWN(-124, "unknown NIC"),
    NIC_KNOWN(-125, "NIC exists already"),
    ROUTERS(-126, "too many routers"),
    LINK_UNKNOWN(-130, "no link"),
    LINK_KNOWN(-131, "link exists already"),
    NETWORK_UNKNOWN(-140, "unknown network"),
    NETWORK_KNOWN(-141, "network exists already"),
    ROUTE_UNKNOWN(-150, "unknown route"),
    ROUTE_KNOWN(-151, "route exists already"),
    PATH(-152, "no path"),
    RELOAD(-160, "reload refused"),
    DUMP(-161, "dump failed"),
    THREAD(-162, "threads cannot be changed");

    private final int number;
    private final String text;

    OracleError(int number, String text) {
        this.number = number;
        this.text = text;
    }

    /** Returns the number, below 0. */
    public int number() {
        return number;
    }

    /** Creates a refusal with this code. */
    Refusal because(String detail) {
        return new Refusal(this, detail);
    }

    /** The refusal of a command, with its reason. */
    static final class Refusal extends Exception {
        private final OracleError error;

        Refusal(OracleError error, String detail) {
            super("Error " + error.number + ": " + error.text + ": " + detail, null, false, false);
            this.error = error;
        }

        OracleError error() {
            return error;
        }

        String text() {
            return String.valueOf(getMessage());
        }
    }
}
