/** ALTO over HTTP (RFC 7285 and its extensions): the snapshot, and the resources that are rendered from it. */
package io.guidepost.alto;
