/**
 * Origin validation: what the RPKI says of which AS may announce which prefix, as caches tell it over RTR (RFC 8210), and what
 * follows for a route (RFC 6811).
 */
package io.guidepost.proximity.rpki;
