package io.guidepost.alto.tips;

import io.guidepost.alto.AltoResource;
import io.guidepost.base.Address;
import java.util.Optional;

/**
 * An open view: a name for the versions of a resource. Views with equal content share a graph.
 *
 * @param id unpredictable; never used twice
 * @param resource whose versions they are
 * @param input POST body for the resource
 * @param opener client that opened it
 * @param graph the versions
 */
@SuppressWarnings("ArrayRecordComponent") // One input, passed on unchanged.
record TipsView(String id, AltoResource resource, Optional<byte[]> input, Address opener, UpdatesGraph graph) {}
