// Everything that comes from outside becomes text, never markup: payloads are hostile.

/** An element with properties and children. */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (name in element) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ''));
  return element;
}

/** The element of an id. */
export const $ = (id) => document.getElementById(id);

/** Shows a text in an element, or hides the element. */
export function tell(element, text) {
  element.textContent = text ?? '';
  element.hidden = !text;
}

export const milliseconds = (value) => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
