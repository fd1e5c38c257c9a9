package io.guidepost.proximity.bgp;

/**
 * What was in a file of MRT.
 *
 * @param records in all
 * @param routes told to the peers that were wanted
 * @param messages UPDATE messages replayed
 * @param otherRecords of kinds that are not looked at, such as multicast
 * @param badRecords with faults, left out
 * @param firstFault the first of them, with the offset of its record; empty if there is none
 */
public record MrtSummary(
        long records, long routes, long messages, long otherRecords, long badRecords, String firstFault) {}
