/** A server under the load of all doors for hours, with kills, reloads, floods and a full disk, and what must hold all the while. */
package io.guidepost.lab.soak;
