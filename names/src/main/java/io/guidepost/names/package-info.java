/** The vocabulary: names, records, locators, and the contract between doors and workers. */
@NullMarked
package io.guidepost.names;

import org.jspecify.annotations.NullMarked;
