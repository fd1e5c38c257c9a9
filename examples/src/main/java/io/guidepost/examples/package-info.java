/** Small programs that show how the parts of Guidepost are used. */
package io.guidepost.examples;
