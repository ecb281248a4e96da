import 'clip-kit';
import 'clip-kit/clip-feed';
import 'clip-kit/clip-list';
import { html, nothing, render, type TemplateResult } from 'lit';
import type { Project, Task } from 'clip-kit/contract';
import { drawHead } from '../head.ts';
import { askHost, readSession, type Session } from '../session.ts';
import { copy } from './copy.ts';
import { buildMarkup, writeMarkup, type Markup } from './markup.ts';
import { answerInPage, createStateHost } from './state-host.ts';

export interface Case {
  /** The expected value of the element's `status` property. */
  readonly state: string;
  readonly title: string;
  readonly note: string;
  readonly markup: Markup;
  /** Brings the element to its state if markup is not enough. */
  readonly act?: (element: HTMLElement) => void;
  /** Puts the element at the end of a box that scrolls. */
  readonly below?: boolean;
}

export interface PageContext {
  readonly session: Session;
  /** The logged-in person's newest clip, or null. */
  readonly clip: Project | null;
}

export interface StatePage {
  readonly tag: string;
  readonly lead: string;
  readonly cases: (context: PageContext) => Case[];
}

/** The logged-in person's newest ready clip. */
export async function findNewestClip(session: Session): Promise<Project | null> {
  if (!session.person) return null;
  for (const { output_type: type, output_id } of await askHost<Task[]>(session, '/tasks')) {
    const id = encodeURIComponent(output_id);
    const clips = await (
      type === 'folder'
        ? askHost<Project[]>(session, `/projects?folder_id=${id}`)
        : askHost<Project>(session, `/projects/${id}`).then((one) => [one])
    ).catch(() => []);
    if (clips[0]) return clips[0];
  }
  return null;
}

const readSampleClips = async (): Promise<Project[]> => (await fetch('/sample-clips')).json();

/** Built once, because an element that is drawn again would start again. */
function getStage(one: Case): HTMLElement {
  const element = buildMarkup(one.markup);
  queueMicrotask(() => one.act?.(element));
  if (!one.below) return element;
  const box = document.createElement('div');
  box.className = 'scroller';
  box.tabIndex = 0;
  const hint = document.createElement('p');
  hint.textContent = 'Scroll down in this box: the element below loads when it comes near.';
  box.append(hint, element);
  return box;
}

function drawStateCard(one: Case): TemplateResult {
  const text = writeMarkup(one.markup);
  return html`<article class="card state" data-state=${one.state}>
    <header>
      <div class="now">
        <h2>${one.title}</h2>
        <code>${one.state}</code>
      </div>
      <p class="soft small">${one.note}</p>
    </header>
    <div class="stage">${getStage(one)}</div>
    <div class="markup">
      <pre dir="ltr" tabindex="0" aria-label="Markup"><code>${text}</code></pre>
      <button @click=${(event: Event) => void copy(event, text)}>Copy</button>
    </div>
  </article>`;
}

/** Draws the page of one element: each state, live, with its markup. */
export async function drawStatePage(page: StatePage): Promise<void> {
  answerInPage(createStateHost(readSampleClips));
  const session = await readSession();
  drawHead(session);
  const clip = await findNewestClip(session);
  const main = document.getElementById('main');
  if (!main) return;
  render(
    html`<header class="intro">
        <h1><bdi>&lt;${page.tag}&gt;</bdi></h1>
        <p>${page.lead}</p>
        <p class="small">
          <a href="/elements/playground/?element=${page.tag}">Try its attributes</a> in the
          playground.
        </p>
        ${
          clip
            ? nothing
            : html`<p class="small">
                Some of these show a clip of yours.
                ${session.person ? 'Make one' : 'Log in and make one'} in the
                <a href="/">studio</a>, then come back.
              </p>`
        }
      </header>
      <div class="states">${page.cases({ session, clip }).map(drawStateCard)}</div>`,
    main,
  );
}
