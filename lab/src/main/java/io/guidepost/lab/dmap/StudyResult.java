package io.guidepost.lab.dmap;

import java.util.List;

/**
 * What a study found.
 *
 * @param settings what it assumed
 * @param input what it was made on
 * @param closest the paper's experiment, with several assumptions
 * @param choices methods in the weather of the settings
 * @param sensitivity some of the methods under other assumptions
 * @param churn look-ups after changes of the table
 * @param loads how evenly names are stored, for several numbers of them
 */
public record StudyResult(
        StudySettings settings,
        Input input,
        List<Closeness> closest,
        List<Chosen> choices,
        List<Assumed> sensitivity,
        List<Churned> churn,
        List<StorageLoad> loads) {
    /** Copies the lists. */
    public StudyResult {
        closest = List.copyOf(closest);
        choices = List.copyOf(choices);
        sensitivity = List.copyOf(sensitivity);
        churn = List.copyOf(churn);
        loads = List.copyOf(loads);
    }

    /**
     * Sizes of the graph and the table.
     *
     * @param announcedShare which part of all IPv4 addresses is announced by an AS of the graph
     * @param fewerServersShare which part of the GUIDs have fewer different servers than replicas
     */
    public record Input(
            int ases, int links, int prefixes, int announcing, double announcedShare, double fewerServersShare) {}

    /**
     * Times of asking the closest replica.
     *
     * @param assumption what demand and latencies are like
     * @param byReplicas one tally for each number of replicas from 1
     */
    public record Closeness(String assumption, List<LatencyStatistics> byReplicas) {}

    /** How a method did. */
    public record Chosen(LookupMethod method, LatencyStatistics tally) {}

    /** How methods did under one assumption. */
    public record Assumed(String assumption, List<Chosen> choices) {}

    /**
     * How look-ups did after a change of the table.
     *
     * @param share which part of the prefixes changed
     * @param one with one replica
     * @param all with all replicas
     * @param oneAndBefore with one replica, and then that of the table before
     */
    public record Churned(String change, double share, LatencyStatistics one, LatencyStatistics all, LatencyStatistics oneAndBefore) {}
}
