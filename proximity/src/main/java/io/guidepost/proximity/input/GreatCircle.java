package io.guidepost.proximity.input;

/** Great-circle distances. */
final class GreatCircle {
    private static final double RADIUS_KILOMETRES = 6371;

    private GreatCircle() {}

    /**
     * Computes the kilometres between two places given in degrees, by the haversine formula; NaN if a coordinate is
     * NaN.
     */
    static double kilometres(double latitude, double longitude, double otherLatitude, double otherLongitude) {
        double here = Math.toRadians(latitude);
        double there = Math.toRadians(otherLatitude);
        double up = Math.sin((there - here) / 2);
        double along = Math.sin(Math.toRadians(otherLongitude - longitude) / 2);
        double chord = up * up + Math.cos(here) * Math.cos(there) * along * along;
        return 2 * RADIUS_KILOMETRES * Math.asin(Math.sqrt(Math.min(1, chord)));
    }
}
