/** Descriptors, network interfaces and virtio headers of the kernel, as several back ends share them. */
package io.guidepost.packet.device;
