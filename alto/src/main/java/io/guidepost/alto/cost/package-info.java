/** Cost maps: how far one place is from another, whole, filtered, several costs at once, and over time. */
@NullMarked
package io.guidepost.alto.cost;

import org.jspecify.annotations.NullMarked;
