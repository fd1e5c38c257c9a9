/** Scenes and load generators of the Handle system over UDP, TCP and HTTP, with slow clients (slowloris). */
package io.guidepost.bench.handle;

