/** XML in values: small documents, read whole within bounds, without external entities. */
@NullMarked
package io.guidepost.handle.xml;

import org.jspecify.annotations.NullMarked;
