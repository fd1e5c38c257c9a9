/** The JSON forms of values, sites and keys, as existing servers write them and their clients expect them. */
@NullMarked
package io.guidepost.handle.json;

import org.jspecify.annotations.NullMarked;
