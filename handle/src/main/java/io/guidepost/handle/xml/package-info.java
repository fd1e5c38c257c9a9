/** XML as values hold it: small documents, read whole within bounds, without anything that leads out of them. */
@NullMarked
package io.guidepost.handle.xml;

import org.jspecify.annotations.NullMarked;
