import { html, render } from 'lit';
import { drawHead } from './head.ts';

drawHead(null);
const main = document.getElementById('main');
if (main) {
  render(
    html`<section class="card empty">
      <h1>Nothing here</h1>
      <p>There is no page at this address. It may have moved, or the link may be misspelt.</p>
      <a class="button main" href="/">Go to the studio</a>
    </section>`,
    main,
  );
}
