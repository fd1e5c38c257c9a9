/** Packet filters in the language of tcpdump, over parsed {@link io.guidepost.packet.frame.HeaderParser headers}. */
@NullMarked
package io.guidepost.packet.filter;

import org.jspecify.annotations.NullMarked;
