import { html, render, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { EntryAnswer } from '../../server/gallery/gallery-routes.ts';
import { drawHead } from '../head.ts';
import { ask, readSession } from '../session.ts';
import { entryCard } from './entry-card.ts';
import { Reel } from './reel.ts';

const pollDelayMs = 1000;
const retryDelayMs = 5000;

const main = document.getElementById('main') as HTMLElement;
const reels = new Map<string, Reel>();
let entries: EntryAnswer[] = [];
let fault: string | null = null;
/** While the page asks for progress. */
let watching = false;

function reelOf({ id, inStep }: EntryAnswer): Reel {
  const reel = reels.get(id) ?? new Reel(inStep, draw);
  reels.set(id, reel);
  return reel;
}

const isSettled = ({ state }: EntryAnswer): boolean =>
  state.status === 'ready' || state.status === 'error';

async function copy(button: HTMLButtonElement, text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  button.textContent = 'Copied';
  button.addEventListener('blur', () => (button.textContent = 'Copy JSON'), { once: true });
}

function summary(): TemplateResult {
  const ready = entries.filter(({ state }) => state.status === 'ready').length;
  const done = ready === entries.length;
  return html`<p class="small" role="status">
    ${
      fault ??
      (done
        ? `All ${entries.length} are ready. They are saved for the next visit.`
        : `${ready} of ${entries.length} are ready. The others are being made now, one after another; you can leave this page.`)
    }
  </p>`;
}

function draw(): void {
  render(
    html`<header class="intro">
        <h1>Before and after</h1>
        <p>
          On the left what was given to the service, on the right what it made of it. The sources
          are drawn and spoken by scripts of this project; the clips come from the service behind
          this site, by the same calls as yours.
        </p>
        ${entries.length ? summary() : html`<p class="small">${fault ?? 'Looking ...'}</p>`}
      </header>
      <div class="gallery">
        ${repeat(
          entries,
          ({ id }) => id,
          (entry) =>
            entryCard(entry, {
              reel: reelOf(entry),
              retry: (id) => void begin(`?again=${encodeURIComponent(id)}`),
              copy: (button, text) => void copy(button, text),
            }),
        )}
      </div>`,
    main,
  );
}

/**
 * Asks for the progress of the entries until all of them are settled. Continues after a lost
 * connection.
 */
async function watch(): Promise<void> {
  if (watching) return;
  watching = true;
  for (;;) {
    try {
      entries = await ask<EntryAnswer[]>('/api/gallery');
      fault = null;
    } catch (error) {
      fault = error instanceof Error ? error.message : String(error);
    }
    draw();
    if (!fault && entries.every(isSettled)) break;
    await new Promise((resolve) => setTimeout(resolve, fault ? retryDelayMs : pollDelayMs));
  }
  watching = false;
}

async function begin(query = ''): Promise<void> {
  try {
    await fetch(`/api/gallery${query}`, { method: 'POST' });
  } catch {
    // The next poll reports errors.
  }
  await watch();
}

drawHead(null);
draw();
readSession().then(drawHead, () => {});
void begin();
