/** Networks as others write them down: topologies and prefix lists of several forms, read into one network. */
@NullMarked
package io.guidepost.proximity.input;

import org.jspecify.annotations.NullMarked;
