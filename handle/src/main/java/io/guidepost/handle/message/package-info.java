/**
 * Messages of the Handle protocol (RFC 3652): envelope, header, bodies, credentials, and their fragmentation over UDP
 * packets.
 */
package io.guidepost.handle.message;
