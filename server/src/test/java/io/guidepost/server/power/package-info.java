/** Power loss while a server makes files of its own, or moves records in. */
@NullMarked
package io.guidepost.server.power;

import org.jspecify.annotations.NullMarked;
