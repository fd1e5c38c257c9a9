/**
 * Views of the headers of frames: {@link io.guidepost.packet.frame.Frame} and what is in it. A view is an object that is
 * pointed at bytes again and again; there is none for each packet. Lengths are compared before anything depends on them.
 */
@NullMarked
package io.guidepost.packet.frame;

import org.jspecify.annotations.NullMarked;
