/**
 * Metrics in the OpenMetrics exposition format: the writer, and the samples of the process, its store and its ports.
 */
package io.guidepost.server.metrics;
