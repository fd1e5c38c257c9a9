/** Endpoint services: costs between addresses, and their properties. */
@NullMarked
package io.guidepost.alto.endpoint;

import org.jspecify.annotations.NullMarked;
