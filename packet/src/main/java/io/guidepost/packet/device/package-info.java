/** Descriptors, network interfaces and virtio headers of the kernel, as several back ends share them. */
@NullMarked
package io.guidepost.packet.device;

import org.jspecify.annotations.NullMarked;
