/** The web side of the Handle door: requests and answers of HTTP as values, apart from any connection. */
@NullMarked
package io.guidepost.handle.http;

import org.jspecify.annotations.NullMarked;
