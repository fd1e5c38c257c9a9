/** Values of type 10320/loc: several places of one thing, and the choice of one of them for a visitor. */
@NullMarked
package io.guidepost.handle.location;

import org.jspecify.annotations.NullMarked;
