package io.guidepost.scaffold.object;

/**
 * What an operator decides of an object router, and its bounds.
 *
 * @param allowed hosts that it takes requests from
 * @param hostsMax hosts that it knows
 * @param objectsMax objects that are served; each has one name at most
 * @param leaseMillisMax the longest that a join or a registration holds without another
 * @param hellosPerSecond greetings that one door answers in a second
 */
public record ObjectSettings(AllowedHosts allowed, int hostsMax, int objectsMax, int leaseMillisMax, int hellosPerSecond) {
    /** Instances of one object: a flow looks at each. */
    static final int OBJECT_INSTANCES_MAX = 1_024;

    /** Instances on one host, so that one host cannot take the memory of all: as many programs as a large machine runs. */
    static final int HOST_INSTANCES_MAX = 4_096;

    /** Writes of one door that are under way: a group commit takes as many. */
    static final int WRITES_MAX = 1_024;

    /** Leases after which a host or an instance that is silent is forgotten: an outage of minutes writes nothing. */
    static final int FORGET_LEASES = 10;

    /** Checks ranges. */
    public ObjectSettings {
        if (hostsMax < 1 || objectsMax < 1 || leaseMillisMax < 1 || hellosPerSecond < 1) {
            throw new IllegalArgumentException("each bound of an object router is 1 or more");
        }
    }

    /** Returns those of a domain of a hundred thousand hosts. */
    public static ObjectSettings of(AllowedHosts allowed) {
        return new ObjectSettings(allowed, 100_000, 100_000, 30_000, 500);
    }
}
