/** The vocabulary: names, records, locators, and the contract between doors and workers. */
package io.guidepost.names;
