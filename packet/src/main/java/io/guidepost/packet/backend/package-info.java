/** The table of back ends: opens a port of frames by its name. */
@NullMarked
package io.guidepost.packet.backend;

import org.jspecify.annotations.NullMarked;
