/** The off-heap read index: a hash table of images that readers probe without a lock, reclaimed by epochs. */
@NullMarked
package io.guidepost.store.index;

import org.jspecify.annotations.NullMarked;
