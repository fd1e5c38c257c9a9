package io.guidepost.alto.tips;

import io.guidepost.alto.Caller;
import io.guidepost.alto.Resource;
import java.util.Optional;

/**
 * What a client opened: a name for the versions of a resource, which it may share with others.
 *
 * @param id that nobody guesses; it is never given twice
 * @param resource whose versions they are
 * @param input for the resource
 * @param opener who opened it
 * @param graph the versions
 */
@SuppressWarnings("ArrayRecordComponent") // One input, handed on.
record TipsView(String id, Resource resource, Optional<byte[]> input, Caller opener, UpdatesGraph graph) {}
