/**
 * What commands share: options that name servers and configurations, exit codes, tables, progress, keys of the
 * terminal.
 */
@NullMarked
package io.guidepost.server.cli.support;

import org.jspecify.annotations.NullMarked;
