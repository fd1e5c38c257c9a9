/** Views: the part of ALTO's content that some clients see. */
@NullMarked
package io.guidepost.alto.view;

import org.jspecify.annotations.NullMarked;
