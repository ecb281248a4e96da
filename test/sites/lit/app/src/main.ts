import { html, render } from 'lit';
import './my-clip.ts';
import './my-preview.ts';

const show = () =>
  render(
    location.pathname === '/clip' ? html`<my-clip></my-clip>` : html`<my-preview></my-preview>`,
    document.querySelector('main')!,
  );
for (const link of document.querySelectorAll('a')) {
  link.addEventListener('click', (event) => {
    event.preventDefault();
    history.pushState(null, '', link.href);
    show();
  });
}
addEventListener('popstate', show);
show();

// The types of the tags.
const button = document.querySelector('clip-export-button');
if (button) button.exportId = null;
