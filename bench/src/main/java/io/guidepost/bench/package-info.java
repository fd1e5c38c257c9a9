/** Load generators, baselines and scenes; not shipped. */
@NullMarked
package io.guidepost.bench;

import org.jspecify.annotations.NullMarked;
