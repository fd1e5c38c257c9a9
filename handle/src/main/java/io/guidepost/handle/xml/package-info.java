/** XML in values: small documents, read whole within bounds, without external entities. */
package io.guidepost.handle.xml;
