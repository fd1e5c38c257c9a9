/** Graphs of autonomous systems with latencies: files, generator, shortest paths. */
package io.guidepost.lab.asgraph;
