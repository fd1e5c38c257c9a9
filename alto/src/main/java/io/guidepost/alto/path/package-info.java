/** Path vectors: the network elements that paths share (RFC 9275). */
package io.guidepost.alto.path;
