/** What is asked of single addresses: how far they are, and their properties. */
@NullMarked
package io.guidepost.alto.endpoint;

import org.jspecify.annotations.NullMarked;
