/** The packages: their files in order, the formats that hold them, completions and man pages out of the commands themselves. */
package io.guidepost.packages;
