/** The DNS door: answers of one zone. Its messages are in {@code wire}, transfers to secondaries in {@code transfer}. */
package io.guidepost.dns;
