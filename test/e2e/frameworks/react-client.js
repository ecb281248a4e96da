import { createElement as h } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { LatePage, NativePage, Page } from './react-page.js';

/** Resolves once React has taken the elements over: it marks what is its own, in tasks of its own. */
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

export const hydrate = (root, props) => {
  hydrateRoot(root, h(props.late ? LatePage : Page, props), {
    onRecoverableError: (error) => console.error(String(error)),
  });
  return taken(root);
};

/** Properties and listeners are React's to set on elements that are defined; on others it writes attributes. */
export const draw = (root, props, defined) => {
  createRoot(root).render(h(defined ? NativePage : Page, props));
  return taken(root);
};
