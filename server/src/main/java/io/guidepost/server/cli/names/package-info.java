/** Commands that ask and change GNRS names: get, put, rm, ping, where, replay. */
package io.guidepost.server.cli.names;
