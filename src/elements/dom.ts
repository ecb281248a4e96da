/** Creates an element. Names that are no properties become attributes; skips null and false. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: object,
  ...children: (Node | string | false | null)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in element) Object.assign(element, { [name]: value });
    else element.setAttribute(name, value as string);
  }
  element.append(...children.filter((child) => child !== null && child !== false));
  return element;
}

/** Sets the text of a node, unless it has that text already. */
export function say(node: Node, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

/** Sets the children of a node. Never moves one that stays: a moved frame loads again. */
export function place(parent: Node, nodes: readonly (Node | false | null)[]): void {
  for (const child of [...parent.childNodes]) if (!nodes.includes(child)) parent.removeChild(child);
  let next = parent.firstChild;
  for (const node of nodes) {
    if (node && node === next) next = next.nextSibling;
    else if (node) parent.insertBefore(node, next);
  }
}
