/** Handle records in the store: their stored form, how they are read, changed and listed, what is derived from them. */
@NullMarked
package io.guidepost.handle.record;

import org.jspecify.annotations.NullMarked;
