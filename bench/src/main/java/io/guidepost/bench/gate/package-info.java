/** The gate for speed: committed ratios of scenes to their baselines, and whether a run of this machine holds them. */
@NullMarked
package io.guidepost.bench.gate;

import org.jspecify.annotations.NullMarked;
