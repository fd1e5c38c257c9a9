/**
 * Capture files as a port of frames: pcap and pcapng are read, at full or recorded speed, and written. Readers validate
 * every length before anything depends on it.
 */
package io.guidepost.packet.pcap;
