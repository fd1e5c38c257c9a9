/**
 * Files of packets as a port of frames: pcap and pcapng are read, at full speed or in recorded time, and written. Readers
 * take nothing in a file for granted: every length is compared with the bytes left before anything depends on it.
 */
@NullMarked
package io.guidepost.packet.pcap;

import org.jspecify.annotations.NullMarked;
