/** Properties of entities: of addresses, of blocks of them, and of PIDs (RFC 9240). */
@NullMarked
package io.guidepost.alto.property;

import org.jspecify.annotations.NullMarked;
