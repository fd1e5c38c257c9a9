/**
 * Boxes in the way of packets, each a small class on the packet framework: what comes in at a port is looked at, perhaps
 * changed, and leaves by another or not at all. What decides (rules, tables of flows, neighbours) stands beside it and is
 * tested by itself.
 */
@NullMarked
package io.guidepost.middlebox;

import org.jspecify.annotations.NullMarked;
