package io.guidepost.gnrs.placement;

import io.guidepost.proximity.AsNotation;
import java.net.InetSocketAddress;
import java.util.Set;

/**
 * The settings that all servers of a deployment share for placement, and which of the servers this one is.
 *
 * @param mode how an AS is found for a hashed address
 * @param hash the digest that hashes GUIDs
 * @param replicas K: copies of each GUID, 1 to {@value PlacementLimits#REPLICAS_MAX}
 * @param hashesMax M: the most hashes of one address, the first included, before a deputy is taken; 1 to
 *     {@value PlacementLimits#HASHES_MAX}
 * @param own the addresses under which this server stands in the bindings
 */
public record PlacementSettings(
        Mode mode, PlacementHash hash, int replicas, int hashesMax, Set<InetSocketAddress> own) {
    /** How an AS is found for a hashed address. */
    public enum Mode {
        /** As in the DMap paper: longest-prefix match, holes hashed again, a deputy at last. */
        DMAP,
        /** As in the Java server of 2014, to join a deployment of such servers. */
        COMPATIBLE;

        /** Returns how files of this mode write the number of an AS. */
        public AsNotation notation() {
            return this == COMPATIBLE ? AsNotation.JAVA : AsNotation.PLAIN;
        }
    }

    /** K of the paper's evaluation, and the default of the older servers. */
    public static final int REPLICAS = 5;

    /** M of the paper's evaluation. */
    public static final int HASHES_MAX = 10;

    /**
     * Copies the set.
     *
     * @throws IllegalArgumentException if a number is out of its range
     */
    public PlacementSettings {
        inRange("replicas", replicas, PlacementLimits.REPLICAS_MAX);
        inRange("hashes", hashesMax, PlacementLimits.HASHES_MAX);
        own = Set.copyOf(own);
    }

    private static void inRange(String what, int number, int max) {
        if (number < 1 || number > max) {
            throw new IllegalArgumentException(what + ": from 1 to " + max + ", not " + number);
        }
    }

    /** Returns DMap with SHA-1, five replicas and ten hashes, for the server with these addresses. */
    public static PlacementSettings of(Set<InetSocketAddress> own) {
        return new PlacementSettings(Mode.DMAP, PlacementHash.SHA_1, REPLICAS, HASHES_MAX, own);
    }
}
