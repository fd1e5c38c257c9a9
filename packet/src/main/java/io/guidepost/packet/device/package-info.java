/** Where ports of frames are opened by name; the table of back ends. */
@NullMarked
package io.guidepost.packet.device;

import org.jspecify.annotations.NullMarked;
