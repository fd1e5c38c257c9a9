/**
 * What commands share: options that name servers and configurations, exit codes, tables, progress, keys of the
 * terminal.
 */
package io.guidepost.server.cli.support;
