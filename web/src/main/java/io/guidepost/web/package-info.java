/** Requests and answers of HTTP as values, and strict JSON: what doors over HTTP share. No input or output here. */
@NullMarked
package io.guidepost.web;

import org.jspecify.annotations.NullMarked;
