/**
 * A generator of frames, and the receiver that finds out what became of them: how many were lost, how many came twice or
 * out of order, and how long they took.
 */
@NullMarked
package io.guidepost.middlebox.generator;

import org.jspecify.annotations.NullMarked;
