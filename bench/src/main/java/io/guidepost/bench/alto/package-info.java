/** Scenes, load generators and baselines of ALTO, Proxidor and ranking. */
package io.guidepost.bench.alto;

