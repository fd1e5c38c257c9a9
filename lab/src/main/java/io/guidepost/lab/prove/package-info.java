/** The command prove: kills and cuts off running servers, and looks for every acknowledged write. */
package io.guidepost.lab.prove;
