/**
 * The DMap study: where names are placed on a graph of autonomous systems, and how long look-ups take; nothing is
 * sent.
 */
package io.guidepost.lab.dmap;
