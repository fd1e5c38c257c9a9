/** System calls of Linux through one linked function, mapped memory and huge pages; uses nothing but base. */
package io.guidepost.packet.linux;
