/** The redirector for browsers: aliases, 10320/loc, pages for people. */
@NullMarked
package io.guidepost.handle.redirector;

import org.jspecify.annotations.NullMarked;
