/** Scenes, load generators and baselines of ALTO, Proxidor and ranking. */
@NullMarked
package io.guidepost.bench.alto;

import org.jspecify.annotations.NullMarked;

