/** Update streams (RFC 8895): what changed between two versions, and telling it to those who wait for it. */
@NullMarked
package io.guidepost.alto.update;

import org.jspecify.annotations.NullMarked;
