/** The vocabulary: names, records, places, and the byte cursor all codecs share. */
@NullMarked
package io.guidepost.names;

import org.jspecify.annotations.NullMarked;
