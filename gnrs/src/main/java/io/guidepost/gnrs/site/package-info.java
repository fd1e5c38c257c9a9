/** GNRS of many sites: what the servers of a deployment say to each other, and what each knows of the others. */
@NullMarked
package io.guidepost.gnrs.site;

import org.jspecify.annotations.NullMarked;
