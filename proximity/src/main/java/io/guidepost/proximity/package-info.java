/** Prefix tables with true longest match: what is near to what. */
@NullMarked
package io.guidepost.proximity;

import org.jspecify.annotations.NullMarked;
