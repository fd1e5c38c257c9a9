/**
 * Moving in and out: the files and tables of existing servers of handles, read and written as streams of steps, and the
 * import of such a stream into the store. Nothing here holds more than a few records at a time.
 */
@NullMarked
package io.guidepost.handle.transfer;

import org.jspecify.annotations.NullMarked;
