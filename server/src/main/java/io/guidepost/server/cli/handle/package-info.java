/** Commands of the Handle service: handles and their values, batches, keys, sites, import and export. */
@NullMarked
package io.guidepost.server.cli.handle;

import org.jspecify.annotations.NullMarked;
