/**
 * A whole deployment in one thread: the doors and relays of the server under a clock, a network and disks that come
 * from one seed.
 */
package io.guidepost.lab.simulation;
