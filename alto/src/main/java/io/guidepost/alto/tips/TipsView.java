package io.guidepost.alto.tips;

import io.guidepost.alto.AltoCaller;
import io.guidepost.alto.AltoResource;
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
record TipsView(String id, AltoResource resource, Optional<byte[]> input, AltoCaller opener, UpdatesGraph graph) {}
