/** An element with its properties and children; what is null or false is left out. */
export const el = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: object,
  ...children: (Node | string | false | null)[]
): HTMLElementTagNameMap[K] => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children.filter((child) => child !== null && child !== false));
  return element;
};

/** Makes these the children of the parent. What stays is not moved: a frame that is moved loads again. */
export const place = (parent: Node, nodes: readonly (Node | false | null)[]): void => {
  for (const child of [...parent.childNodes]) if (!nodes.includes(child)) parent.removeChild(child);
  let next = parent.firstChild;
  for (const node of nodes) {
    if (node && node === next) next = next.nextSibling;
    else if (node) parent.insertBefore(node, next);
  }
};
