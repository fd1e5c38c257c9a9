/** What the front ends of a fleet tell each other. */
package io.guidepost.server.fleet;
