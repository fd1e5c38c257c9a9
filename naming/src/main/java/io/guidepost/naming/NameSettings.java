package io.guidepost.naming;

import io.guidepost.base.Prefix;
import java.util.List;

/**
 * Settings of names over HTTP that a reload changes.
 *
 * @param readers addresses that may read without a token
 * @param writers addresses that may write without one
 * @param tokens tokens of writers
 * @param nearestFirst whether places are in the order of their nearness to the client
 */
public record NameSettings(List<Prefix> readers, List<Prefix> writers, WriterTokens tokens, boolean nearestFirst) {
    /** Copies the lists. */
    public NameSettings {
        readers = List.copyOf(readers);
        writers = List.copyOf(writers);
    }
}
