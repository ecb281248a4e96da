import { createElement as h } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { LatePage, NativePage, Page } from './react-page.js';

/** Resolves when React has hydrated the elements: it marks its own elements in its own tasks. */
const taken = (root) =>
  new Promise((resolve) => {
    const look = () => {
      const button = root.querySelector('clip-export-button');
      const is = button && Object.keys(button).some((key) => key.startsWith('__react'));
      if (is) resolve();
      else requestAnimationFrame(look);
    };
    look();
  });

export function hydrate(root, props) {
  hydrateRoot(root, h(props.late ? LatePage : Page, props), {
    onRecoverableError: (error) => console.error(String(error)),
  });
  return taken(root);
}

/**
 * React sets properties and listeners only on elements that are defined; on others it writes
 * attributes.
 */
export function draw(root, props, defined) {
  createRoot(root).render(h(defined ? NativePage : Page, props));
  return taken(root);
}
