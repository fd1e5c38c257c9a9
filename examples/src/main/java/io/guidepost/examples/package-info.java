/** Small programs that show how the parts of Guidepost are used. */
@NullMarked
package io.guidepost.examples;

import org.jspecify.annotations.NullMarked;
