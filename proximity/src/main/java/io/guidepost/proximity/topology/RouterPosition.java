package io.guidepost.proximity.topology;

/**
 * Where a router stands, for a map.
 *
 * @param latitude degrees, north is positive
 * @param longitude degrees, east is positive
 */
public record RouterPosition(double latitude, double longitude) {}
