// The elements of a page: found, made.

/**
 * The element of the page with an id; which kind of element it is, the page's template says.
 * @param {string} id
 * @returns {any} null where the page has none
 */
export const at = (id) => document.getElementById(id);

/**
 * The elements that match a selector, in the page or within one of its elements.
 * @param {string} selector
 * @param {ParentNode} within
 * @returns {NodeListOf<any>}
 */
export const all = (selector, within = document) => within.querySelectorAll(selector);

export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** A spot of color beside a name, which a screen reader leaves out. */
export function chip(color, name = "chip") {
  const made = element("span", { class: name, "aria-hidden": "true" });
  if (color) made.style.background = color;
  return made;
}

/** Makes an element of an SVG picture. */
export function make(name, attributes = {}, parent = null) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  parent?.append(made);
  return made;
}

/** Copies a text; returns whether that is possible: without https a browser copies only what is selected in a field. */
export async function copied(text, field = null) {
  try { await navigator.clipboard.writeText(text); return true; } catch { /* it is tried by the field */ }
  field?.focus();
  field?.select();
  return Boolean(field) && document.execCommand("copy");
}
