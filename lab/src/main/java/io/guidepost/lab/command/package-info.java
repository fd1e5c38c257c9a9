/** The commands simulate cluster and simulate dmap of a checkout. */
@NullMarked
package io.guidepost.lab.command;

import org.jspecify.annotations.NullMarked;
