/** Entity properties: of addresses, blocks and PIDs (RFC 9240). */
@NullMarked
package io.guidepost.alto.property;

import org.jspecify.annotations.NullMarked;
