// Makes and finds elements. Texts are inserted as texts, never as markup.

export const $ = id => document.getElementById(id);

/** An element: `make("button", {class: "x", onclick}, "text", element, ...)`. */
export function make(tag, attributes = {}, ...inner) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...inner.filter(one => one !== null && one !== undefined && one !== ""));
  return element;
}

/** A text with a capital at its start. */
export const capital = text => text.slice(0, 1).toUpperCase() + text.slice(1);

/** A player's shield with the player's letter. */
export function shield(game, role) {
  const colours = game.rules.colours[role];
  const word = game.rules.words[role] ?? role;
  const letter = game.rules.letters[role] ?? capital(word.slice(0, 1));
  const element = make("span", {class: "shield", title: word}, letter);
  if (colours) { element.style.background = colours[0]; element.style.color = colours[1]; }
  return element;
}

/** The lines of a change, with their marks. */
export function changes(lines) {
  const signs = {"+": "⊕", "-": "⊖", ">": "→", "~": "~"};
  return lines.map(line => make("li", {}, make("b", {"aria-hidden": "true"}, signs[line[0]] ?? line[0]), " ", line.slice(2)));
}
