/**
 * Processes of a benchmark: started, pinned to processors, metered, and ended; C baselines compiled for this machine.
 */
@NullMarked
package io.guidepost.bench.process;

import org.jspecify.annotations.NullMarked;
