/** The store inside this process: one committer with group commit, index maintenance, read-through. */
package io.guidepost.store.embedded;
