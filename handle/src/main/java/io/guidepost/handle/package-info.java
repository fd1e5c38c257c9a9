/**
 * The Handle door: handles, their values and records (RFC 3651), and their encoding. Compatible with the Handle
 * protocol (RFC 3652, DO-IRP). No input or output.
 */
package io.guidepost.handle;
