/** Ports inside the process: links, rings and a simulated network. */
@NullMarked
package io.guidepost.packet.memory;

import org.jspecify.annotations.NullMarked;
