/**
 * The vocabulary of ALTO (RFC 7285): errors, media types, cost types, identifiers, version tags, and request input
 * that is checked.
 */
package io.guidepost.alto.protocol;
