/** Sockets that one process leaves to another: the Unix socket that carries them, and the table in which they wait to be taken. */
package io.guidepost.packet.handover;
