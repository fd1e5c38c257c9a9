/** The frame of a scene: servers under test, alternating rounds, statistics, and reports. */
@NullMarked
package io.guidepost.bench.scene;

import org.jspecify.annotations.NullMarked;
