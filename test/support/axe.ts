import 'axe-core/axe.min.js';
import type { AxeResults } from 'axe-core';

const { axe } = globalThis as unknown as {
  axe: { run(context: Element, options: object): Promise<AxeResults> };
};

/** Frames show another page, of another origin. */
const options = {
  iframes: false,
  rules: { 'frame-tested': { enabled: false }, 'label-content-name-mismatch': { enabled: true } },
};

/** Returns what axe finds wrong in a light page and in a dark one; and what it cannot decide. */
export async function findFaults(element: Element, withUndecided = false): Promise<string[]> {
  const found: string[] = [];
  for (const scheme of ['light', 'dark']) {
    document.documentElement.style.colorScheme = scheme;
    // A bar on its way below a text hides from axe what is behind the text.
    for (const one of element.shadowRoot?.getAnimations() ?? []) {
      if (one instanceof CSSTransition) one.finish();
    }
    const { violations, incomplete } = await axe.run(element, options);
    for (const { id, nodes } of [...violations, ...(withUndecided ? incomplete : [])]) {
      found.push(...nodes.map((node) => `${scheme} ${id}: ${node.html} ${node.failureSummary}`));
    }
  }
  return found;
}
