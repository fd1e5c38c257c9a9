/** The redirector for browsers: aliases, 10320/loc, pages for people. */
package io.guidepost.handle.redirector;
