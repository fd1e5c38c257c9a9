/** HTTP requests and responses as values, and strict JSON: what doors over HTTP share. No input or output. */
@NullMarked
package io.guidepost.web;

import org.jspecify.annotations.NullMarked;
