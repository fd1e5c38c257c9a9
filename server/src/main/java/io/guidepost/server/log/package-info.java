/** How the log looks: text for people, JSON for programs, priorities for the journal of systemd. */
package io.guidepost.server.log;
