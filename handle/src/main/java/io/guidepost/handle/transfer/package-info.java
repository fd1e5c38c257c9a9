/**
 * Import and export: files and tables of existing Handle servers as streams of steps, and the import of such a stream
 * into the store, with a few records in memory at a time.
 */
package io.guidepost.handle.transfer;
