/** The DNS door: codec, and answers of one zone. */
package io.guidepost.dns;
