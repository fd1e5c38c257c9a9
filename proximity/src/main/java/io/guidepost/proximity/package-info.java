/** Prefixes, and prefix tables with longest-prefix match. */
package io.guidepost.proximity;
