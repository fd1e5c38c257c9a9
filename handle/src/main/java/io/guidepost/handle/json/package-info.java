/** The JSON forms of values, sites and keys that existing servers write and their clients expect. */
@NullMarked
package io.guidepost.handle.json;

import org.jspecify.annotations.NullMarked;
