/** Commands of the Handle service: handles and their values, batches, keys, sites, import and export. */
package io.guidepost.server.cli.handle;
