/** Views: the part of ALTO's content that some clients see. */
package io.guidepost.alto.view;
