/** UDP ports over kernel sockets (recvmmsg, sendmmsg, GRO, GSO) and over channels of the JDK. */
@NullMarked
package io.guidepost.packet.udp;

import org.jspecify.annotations.NullMarked;
