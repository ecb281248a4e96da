import 'clip-kit';
import 'clip-kit/clip-list';
import type { Project } from 'clip-kit/contract';
import { html, render } from 'lit';
import { drawHead } from '../head.ts';
import { logIn, readSession, type Session } from '../session.ts';
import { LibraryView } from './library.ts';
import { NewVideo } from './new-video.ts';
import { EditDialog } from './edit-dialog.ts';
import { welcome } from './welcome.ts';
import { Watermarks } from './watermarks.ts';
import { videoList, workspace } from './workspace.ts';

const main = document.getElementById('main') as HTMLElement;

function showStudio(session: Session): void {
  const library = new LibraryView(draw);
  const form = new NewVideo(session.sampleUrl, draw, (task, name) => {
    library.add(task, name);
    scrollTo({ top: 0 });
  });
  const dialog = new EditDialog(session.serviceUrl, draw);
  const parts = {
    serviceUrl: session.serviceUrl,
    watermarks: new Watermarks(new URL('/watermark.png', session.sampleUrl).href),
    open: (clip: Project) => dialog.open(clip),
  };

  function draw(): void {
    render(
      html`<div class="studio">
          <div class="side">${form.render()} ${videoList(library)}</div>
          ${workspace(library, parts)}
        </div>
        ${dialog.render()}`,
      main,
    );
  }

  draw();
  void library.load().catch(showFault);
}

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
    showStudio(session);
  } else {
    render(
      welcome(session.people, (person) => {
        logIn(person.id).then(() => location.reload(), showFault);
      }),
      main,
    );
  }
} catch (error) {
  drawHead(null);
  showFault(error);
}
