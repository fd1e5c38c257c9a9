/** The GNRS service: its doors on the workers, placement tables, peer servers and anti-entropy. */
@NullMarked
package io.guidepost.server.gnrs;

import org.jspecify.annotations.NullMarked;
