/** The frame of a scene: servers under test, alternating rounds, statistics, and reports. */
package io.guidepost.bench.scene;
