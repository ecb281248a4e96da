import { html } from 'hono/html';
import type { ClipView } from './clip-view.ts';
import { makePage, getTexts, type Html, type PageOptions } from './markup.ts';
import { makeStage } from './stage-markup.ts';
import { symbols } from './symbols.ts';

const makeControlOrigins = ({ settings }: PageOptions): Html | '' =>
  settings.controlOrigins
    ? html`data-control-origins="${JSON.stringify(settings.controlOrigins)}"`
    : '';

/** An address of a view, from a page one level below the service's root; a bucket's is whole. */
export const fromPage = (address: string): string =>
  /^https?:/.test(address) ? address : `../${address}`;

/** Returns the picture of a clip that is not ready. */
const chooseWaitingPoster = ({ state, poster }: ClipView): string | null =>
  state === 'preparing' && poster !== null ? fromPage(poster) : null;

/** The player of one clip; `view` is what its script begins with. `bar`: above the player. */
export function makePlayerPage(view: ClipView, options: PageOptions, bar: Html | '' = ''): Html {
  const texts = getTexts(options.language);
  return makePage(options, {
    title: view.name,
    script: 'page',
    // The stage has the clip's shape before any script runs.
    style: `--ratio: ${view.width / view.height}`,
    body: html`<body
      class="player-page"
      data-view="${JSON.stringify(view)}"
      ${makeControlOrigins(options)}
    >
      <main>${bar}${makeStage(texts, options.settings, false, chooseWaitingPoster(view))}</main>
      <noscript
        >${
          view.video === null
            ? texts.plain('noscript-preparing')
            : html`<a href="${fromPage(view.video)}">${texts.plain('noscript-play')}</a>`
        }</noscript
      >
    </body>`,
  });
}

/**
 * The embed player: nothing else depends on the address, since only the fragment says who is
 * looking. `poster`: of a clip that everyone may see, from the service's root.
 */
export function makeEmbedPage(options: PageOptions, poster: string | null = null): Html {
  const texts = getTexts(options.language);
  const { plain, text, label, name } = texts;
  return makePage(options, {
    title: plain('clip'),
    script: 'page',
    body: html`<body class="embed-page" ${makeControlOrigins(options)}>
      <main>
        ${makeStage(texts, options.settings, true, poster && fromPage(poster))}
        <aside class="about" ${name('about')} hidden>
          <h2 class="name" dir="auto"></h2>
          <div class="score" hidden>
            <span class="score-value"></span
            ><span class="score-label" ${text('score')}>${plain('score')}</span>
            <div class="meter" aria-hidden="true"><span></span></div>
          </div>
          <p class="explanation" dir="auto"></p>
        </aside>
        <button type="button" class="about-toggle" aria-expanded="false" ${label('about')} hidden>
          ${symbols.about}
        </button>
      </main>
      <noscript>${plain('noscript-embed')}</noscript>
    </body>`,
  });
}

/** Reasons why an address shows nothing: the heading, a sentence, and the picture. */
const reasons = {
  'not-found': ['missing', 'not-found-text', symbols.nothing],
  expired: ['expired', 'expired-text', symbols.locked],
  ended: ['expired', 'ask-again', symbols.locked],
  revoked: ['revoked', 'ask-again', symbols.locked],
  'no-file': ['no-file', 'no-file-text', symbols.nothing],
} as const;

/**
 * For an address of no clip, or that is not signed for a private one, and for a share link that
 * opens nothing. Its script notifies the page around.
 */
export function makeMissingPage(options: PageOptions, reason: keyof typeof reasons): Html {
  const { plain } = getTexts(options.language);
  const [title, text, symbol] = reasons[reason];
  return makePage(options, {
    title: plain(reason === 'not-found' ? reason : title),
    script: 'missing',
    body: html`<body class="player-page">
      <main>
        <div class="stage">
          <div class="notices">
            <section class="notice">
              <span class="badge">${symbol}</span>
              <h1>${plain(title)}</h1>
              <p>${plain(text)}</p>
            </section>
          </div>
        </div>
      </main>
    </body>`,
  });
}
