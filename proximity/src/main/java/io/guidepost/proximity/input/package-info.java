/** Readers of topologies and prefix lists in several file formats, merged into one network. */
@NullMarked
package io.guidepost.proximity.input;

import org.jspecify.annotations.NullMarked;
