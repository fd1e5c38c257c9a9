/** Ports inside the process: links, rings and a simulated network. */
package io.guidepost.packet.memory;
