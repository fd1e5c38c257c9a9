/** HTTP requests and responses as values, and strict JSON: what doors over HTTP share. No input or output. */
package io.guidepost.web;
