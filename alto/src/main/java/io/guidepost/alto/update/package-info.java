/** Update streams (RFC 8895): server-sent events with the changes between versions. */
package io.guidepost.alto.update;
