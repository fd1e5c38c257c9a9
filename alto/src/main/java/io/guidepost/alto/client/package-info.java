/** A client of ALTO (RFC 7285) over HTTP. */
package io.guidepost.alto.client;
