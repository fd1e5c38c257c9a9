/**
 * A whole deployment in one thread: the same doors and relays as in the server, under a clock, a network and disks that
 * are made up from one seed, so that whatever goes wrong goes wrong again.
 */
@NullMarked
package io.guidepost.gnrs.simulation;

import org.jspecify.annotations.NullMarked;
