/**
 * Middleboxes, each a small class on the packet framework: frames that arrive at a port are inspected, perhaps changed,
 * and forwarded or dropped. Rules, connection tracking and neighbour tables stand beside them and are tested
 * separately.
 */
package io.guidepost.middlebox;
