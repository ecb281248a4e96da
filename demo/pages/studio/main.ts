import 'clip-kit';
import 'clip-kit/clip-create';
import 'clip-kit/clip-export-many';
import 'clip-kit/clip-list';
import 'clip-kit/clip-videos';
import { html, render } from 'lit';
import { drawHead } from '../head.ts';
import { logIn, readSession } from '../session.ts';
import { Studio } from './studio.ts';
import { drawWelcome } from './welcome.ts';

const main = document.getElementById('main') as HTMLElement;

function showFault(error: unknown): void {
  render(
    html`<section class="card empty" role="alert">
      <h1>This did not work</h1>
      <p>${error instanceof Error ? error.message : String(error)}</p>
      <button class="button main" @click=${() => location.reload()}>Try again</button>
    </section>`,
    main,
  );
}

try {
  const session = await readSession();
  drawHead(session);
  if (session.person) {
    const studio = new Studio(session, () => render(studio.render(), main));
    render(studio.render(), main);
  } else {
    render(
      drawWelcome(session.people, (person) => {
        logIn(person.id).then(() => location.reload(), showFault);
      }),
      main,
    );
  }
} catch (error) {
  drawHead(null);
  showFault(error);
}
