/** The off-heap read index: a hash table of images that readers probe without a lock, reclaimed by epochs. */
package io.guidepost.store.index;
