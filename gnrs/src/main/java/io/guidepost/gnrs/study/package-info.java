/**
 * DMap at the scale of the Internet: where names are placed on a graph of autonomous systems, and how long it takes to
 * ask for them. Placement is that of the server; routes are shortest paths; nothing is sent.
 */
@NullMarked
package io.guidepost.gnrs.study;

import org.jspecify.annotations.NullMarked;
