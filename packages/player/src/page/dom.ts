/** Returns the first element that matches; the pages' markup has it. */
export const find = <T extends HTMLElement>(selector: string, within: ParentNode = document): T =>
  within.querySelector<T>(selector)!;
