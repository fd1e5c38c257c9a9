/** The GNRS service: its doors on the workers, placement tables, peer servers and anti-entropy. */
package io.guidepost.server.gnrs;
