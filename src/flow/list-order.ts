/**
 * The order of a list on a page after it was read again. What is there stays where it is, so that
 * nothing moves under a pointer; a new id follows the one that it follows in `read`.
 */
export function mergedOrder(shown: readonly string[], read: readonly string[]): string[] {
  const wanted = new Set(read);
  const order = shown.filter((id) => wanted.has(id));
  const known = new Set(order);
  read.forEach((id, at) => {
    if (known.has(id)) return;
    known.add(id);
    order.splice(at ? order.indexOf(read[at - 1]!) + 1 : 0, 0, id);
  });
  return order;
}
