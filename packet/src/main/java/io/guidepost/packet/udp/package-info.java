/** UDP ports over kernel sockets (recvmmsg, sendmmsg, GRO, GSO) and over channels of the JDK. */
package io.guidepost.packet.udp;
