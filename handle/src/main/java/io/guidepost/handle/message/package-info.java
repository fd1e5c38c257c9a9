/**
 * Messages of the Handle protocol (RFC 3652): envelope, header, bodies, credentials, and the UDP packets that carry
 * them.
 */
@NullMarked
package io.guidepost.handle.message;

import org.jspecify.annotations.NullMarked;
