/** The store inside this process: one committer with group commit, index maintenance, read-through. */
@NullMarked
package io.guidepost.store.embedded;

import org.jspecify.annotations.NullMarked;
