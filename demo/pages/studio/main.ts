import 'clip-kit';
import { html, render } from 'lit';
import { drawHead } from '../head.ts';
import { logIn, readSession, type Session } from '../session.ts';
import type { ClipCardParts } from './clip-card.ts';
import { LibraryView } from './library.ts';
import { NewVideo } from './new-video.ts';
import { OpenDialog } from './open-dialog.ts';
import { welcome } from './welcome.ts';
import { Posters } from './posters.ts';
import { readWatermarked, writeWatermarked } from './watermarked.ts';
import { videoList, workspace } from './workspace.ts';

const main = document.getElementById('main') as HTMLElement;

function showStudio(session: Session): void {
  const watermarked = readWatermarked();
  const watermarkUrl = new URL('/watermark.png', session.sampleUrl).href;
  const library = new LibraryView(draw);
  const form = new NewVideo(session.sampleUrl, draw, (task, name) => {
    library.add(task, name);
    scrollTo({ top: 0 });
  });
  const dialog = new OpenDialog(session.serviceUrl, draw);
  const posters = new Posters(session.serviceUrl, draw);
  const cardParts = (projectId: string): ClipCardParts => ({
    serviceUrl: session.serviceUrl,
    posterUrl: posters.of(projectId),
    watermarkUrl: watermarked.has(projectId) ? watermarkUrl : null,
    open: (project) => dialog.open(project),
    setWatermark(project, on) {
      if (on) watermarked.add(project.id);
      else watermarked.delete(project.id);
      writeWatermarked(watermarked);
      draw();
    },
  });

  function draw(): void {
    render(
      html`<div class="studio">
          <div class="side">${form.render()} ${videoList(library)}</div>
          ${workspace(library, cardParts)}
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
