/**
 * The DMap study: where names are placed on a graph of autonomous systems, and how long look-ups take; nothing is
 * sent.
 */
@NullMarked
package io.guidepost.lab.dmap;

import org.jspecify.annotations.NullMarked;
