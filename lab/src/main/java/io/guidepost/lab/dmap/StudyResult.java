package io.guidepost.lab.dmap;

import java.util.List;

/**
 * The results of a study.
 *
 * @param settings its assumptions
 * @param input its graph and table
 * @param closest the paper's experiment, with several assumptions
 * @param choices methods under the noise of the settings
 * @param sensitivity some of the methods under other assumptions
 * @param churn look-ups after changes of the table
 * @param loads the balance of storage, for several numbers of names
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
     * @param announcedShare the share of all IPv4 addresses announced by an AS of the graph
     * @param fewerServersShare the share of the GUIDs with fewer different servers than replicas
     */
    public record Input(
            int ases, int links, int prefixes, int announcing, double announcedShare, double fewerServersShare) {}

    /**
     * Response times of the closest replica.
     *
     * @param assumption the assumption on demand and latencies
     * @param byReplicas one tally for each number of replicas from 1
     */
    public record Closeness(String assumption, List<LatencyStatistics> byReplicas) {}

    /** The results of a method. */
    public record Chosen(LookupMethod method, LatencyStatistics tally) {}

    /** The results of methods under one assumption. */
    public record Assumed(String assumption, List<Chosen> choices) {}

    /**
     * The results of look-ups after a change of the table.
     *
     * @param share the share of the prefixes that changed
     * @param one with one replica
     * @param all with all replicas
     * @param oneAndBefore with one replica, and then that of the previous table
     */
    public record Churned(String change, double share, LatencyStatistics one, LatencyStatistics all, LatencyStatistics oneAndBefore) {}
}
