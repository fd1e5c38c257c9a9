/** The JSON forms of values, sites and keys that existing servers write and their clients expect. */
package io.guidepost.handle.json;
