/**
 * Processes of a benchmark: started, pinned to processors, metered, and ended; C baselines compiled for this machine.
 */
package io.guidepost.bench.process;
