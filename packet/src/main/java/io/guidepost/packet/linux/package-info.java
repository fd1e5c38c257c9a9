/** System calls of Linux through one linked function, mapped memory and huge pages; uses nothing but base. */
@NullMarked
package io.guidepost.packet.linux;

import org.jspecify.annotations.NullMarked;
