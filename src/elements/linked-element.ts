/**
 * The element that another names by its id. Plain markup has the id around the element: a `<div
 * data-clip-list>` with it inside.
 */
export function findLinkedElement(
  from: Element,
  id: string | null,
  tag: string,
): HTMLElement | null {
  const root = from.getRootNode() as Document | ShadowRoot;
  const found: HTMLElement | null = id ? (root.getElementById?.(id) ?? null) : null;
  return found?.localName === tag ? found : (found?.querySelector<HTMLElement>(tag) ?? null);
}
