/** The DNS door: codec, answers of one zone, and its transfer to secondaries. */
package io.guidepost.dns;
