/** Network maps: which addresses form a PID, by the operator's files or by the topology. */
@NullMarked
package io.guidepost.alto.map;

import org.jspecify.annotations.NullMarked;
