/**
 * Flyweight views of frame headers: {@link io.guidepost.packet.frame.Frame} and the protocols in it. There is no object
 * for each packet. Lengths are checked before anything depends on them.
 */
package io.guidepost.packet.frame;
