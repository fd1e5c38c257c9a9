/** Prefixes, and prefix tables with longest-prefix match. */
@NullMarked
package io.guidepost.proximity;

import org.jspecify.annotations.NullMarked;
