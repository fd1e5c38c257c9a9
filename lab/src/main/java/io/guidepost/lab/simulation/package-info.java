/**
 * A whole deployment in one thread: the doors and relays of the server under a clock, a network and disks that come
 * from one seed.
 */
@NullMarked
package io.guidepost.lab.simulation;

import org.jspecify.annotations.NullMarked;
