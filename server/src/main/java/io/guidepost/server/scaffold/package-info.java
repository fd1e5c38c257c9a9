/** The SCAFFOLD service: the object router's doors, its key, and what it tells. */
package io.guidepost.server.scaffold;
