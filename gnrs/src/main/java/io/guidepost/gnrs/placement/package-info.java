/**
 * DMap placement: which servers keep a GUID, a pure function of the GUID, the prefix table and the bindings of ASes to
 * servers.
 */
package io.guidepost.gnrs.placement;
