/** Filters of packets in the language of tcpdump, over what {@link io.guidepost.packet.frame.HeaderParser} says of a frame. */
@NullMarked
package io.guidepost.packet.filter;

import org.jspecify.annotations.NullMarked;
