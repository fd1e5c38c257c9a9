/** Graphs of autonomous systems with latencies: files, generator, shortest paths. */
@NullMarked
package io.guidepost.lab.asgraph;

import org.jspecify.annotations.NullMarked;
