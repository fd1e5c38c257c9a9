package io.guidepost.proximity.bgp;

/**
 * Statistics of an MRT file.
 *
 * @param records in all
 * @param routes delivered for wanted peers
 * @param messages UPDATE messages replayed
 * @param otherRecords ignored types, such as multicast
 * @param badRecords with faults, skipped
 * @param firstFault the first of them, with the offset of its record; empty if there is none
 */
public record MrtSummary(
        long records, long routes, long messages, long otherRecords, long badRecords, String firstFault) {}
