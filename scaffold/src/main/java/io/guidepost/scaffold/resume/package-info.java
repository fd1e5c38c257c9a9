/** How a flow goes on at another instance: what may be repeated, what is compared, what is asked for by range. Pure. */
package io.guidepost.scaffold.resume;
