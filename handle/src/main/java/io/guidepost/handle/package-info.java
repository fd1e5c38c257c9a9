/**
 * The Handle door: handles, their values and the records among them (RFC 3651), and the bytes that these are on the wire.
 * Compatible with the Handle protocol (RFC 3652, DO-IRP). Does no input or output.
 */
@NullMarked
package io.guidepost.handle;

import org.jspecify.annotations.NullMarked;
