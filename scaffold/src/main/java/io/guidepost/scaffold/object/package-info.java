/** The object router: which instances an object has, which of them a flow gets, and the door that says so. */
package io.guidepost.scaffold.object;
