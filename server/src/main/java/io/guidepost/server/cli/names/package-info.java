/** Commands that ask and change GNRS names: get, put, rm, ping, where, replay. */
@NullMarked
package io.guidepost.server.cli.names;

import org.jspecify.annotations.NullMarked;
