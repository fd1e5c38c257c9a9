/** The command prove: kills and cuts off running servers, and looks for every acknowledged write. */
@NullMarked
package io.guidepost.lab.prove;

import org.jspecify.annotations.NullMarked;
