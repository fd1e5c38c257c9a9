/** Update streams (RFC 8895): server-sent events with the changes between versions. */
@NullMarked
package io.guidepost.alto.update;

import org.jspecify.annotations.NullMarked;
