/** Views: what some clients are told of all that there is. */
@NullMarked
package io.guidepost.alto.view;

import org.jspecify.annotations.NullMarked;
