/** Packet filters in the language of tcpdump, over parsed {@link io.guidepost.packet.frame.HeaderParser headers}. */
package io.guidepost.packet.filter;
