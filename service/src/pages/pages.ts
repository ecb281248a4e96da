import { html, raw } from 'hono/html';
import type { ClipView } from './clip-view.ts';
import { robots } from './link-metadata.ts';

/**
 * Scripts only come from files of this origin. Styles must be allowed inline: the player's controls
 * keep theirs in their shadow roots. Every site may frame the pages: that is what they are for.
 */
export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "media-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    'frame-ancestors *',
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
};

type Html = ReturnType<typeof html>;

const shell = (
  title: string,
  isPlayer: boolean,
  body: Html,
  style = '',
  metadata: Html = robots(false),
): Html =>
  html`<!doctype html>
    <html lang="en" style="${style}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        ${metadata}
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="../assets/player.css" />
        ${
          !isPlayer
            ? ''
            : // The page's own script first: it takes the token out of the address, and the player is a large file.
              html`<script type="module" src="../assets/page.js"></script>
                <script src="../assets/media-chrome.js" defer></script>`
        }
      </head>
      ${body}
    </html>`;

const symbol = (paths: string): Html =>
  html`<svg
    viewBox="0 0 24 24"
    width="28"
    height="28"
    fill="none"
    stroke="currentColor"
    stroke-width="1.75"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    ${raw(paths)}
  </svg>`;

const notice = (state: string, icon: Html, heading: string, text: string, button = ''): Html =>
  html` <section class="notice" data-for="${state}" hidden>
    <span class="badge">${icon}</span>
    <h1>${heading}</h1>
    <p>${text}</p>
    ${button === '' ? '' : html`<button type="button" class="action">${button}</button>`}
  </section>`;

const spinner = html`<span class="spinner" aria-hidden="true"></span>`;
const speaker = symbol(
  '<path d="M4 9.5v5h3.5L12 18.5v-13L7.5 9.5z"/><path d="m16 9.5 5 5"/><path d="m21 9.5-5 5"/>',
);
const broken = symbol('<path d="M12 8v5"/><path d="M12 16.5v.01"/><circle cx="12" cy="12" r="9"/>');
const locked = symbol(
  '<rect x="5" y="11" width="14" height="9" rx="2"/><path d="M8 11V8a4 4 0 0 1 8 0v3"/>',
);
const nothing = symbol(
  '<rect x="3" y="5" width="18" height="14" rx="3"/><path d="m9.5 9.5 5 5"/><path d="m14.5 9.5-5 5"/>',
);

const notices = html` ${notice('loading', spinner, 'Loading', 'One moment.')}
${notice('preparing', spinner, 'Your clip is being prepared', 'It starts here as soon as it is ready. You can leave this open.')}
${notice('failed', broken, 'This clip could not be made', 'Something went wrong while it was being prepared.')}
${notice('refused', locked, 'This link cannot open the clip', 'Its access token is missing or no longer valid. Go back to the page that you came from and open the clip again.')}
${notice('missing', nothing, 'This clip is not here', 'It may have been removed, or belong to another account.')}
${notice('offline', broken, 'No connection', 'The clip could not be reached. Check the connection; it is tried again by itself.', 'Try again')}`;

/** Without the controls' tooltips, which do not agree with the accessible names. */
const stage = html` <div class="stage">
  <h1 class="title" hidden></h1>
  <media-controller class="player" hidden>
    <video slot="media" playsinline preload="metadata"></video>
    <media-loading-indicator slot="centered-chrome" noautohide></media-loading-indicator>
    <media-play-button class="big" slot="centered-chrome" notooltip></media-play-button>
    <media-control-bar>
      <media-play-button notooltip></media-play-button>
      <media-time-range></media-time-range>
      <media-time-display class="wide" showduration notoggle></media-time-display>
      <media-mute-button notooltip></media-mute-button>
      <media-fullscreen-button notooltip></media-fullscreen-button>
    </media-control-bar>
  </media-controller>
  <button type="button" class="unmute" hidden>${speaker}<span>Unmute</span></button>
  <div class="notices" role="status">${notices}</div>
</div>`;

/** The player of one project; `view` is what its script begins with. */
export const playerPage = (view: ClipView, metadata: Html): Html =>
  shell(
    view.name,
    true,
    html`<body class="player-page" data-view="${JSON.stringify(view)}">
      <main>${stage}</main>
      <noscript
        >${view.video === null ? 'The clip is being prepared: load this page again in a moment.' : html`<a href="../${view.video}">Play the clip</a>`}</noscript
      >
    </body>`,
    // The stage has the clip's shape before any script runs.
    `--ratio: ${view.width / view.height}`,
    metadata,
  );

/** The embed player: the same for every address, since only the fragment says who is looking. */
export const embedPage = (): Html =>
  shell(
    'Clip',
    true,
    html`<body class="embed-page">
      <main>
        ${stage}
        <aside class="about" aria-label="About this clip" hidden>
          <h1 class="name"></h1>
          <div class="score" hidden>
            <span class="score-value"></span><span class="score-label">virality score</span>
            <div class="meter" aria-hidden="true"><span></span></div>
          </div>
          <p class="explanation"></p>
        </aside>
        <button
          type="button"
          class="about-toggle"
          aria-expanded="false"
          aria-label="About this clip"
          hidden
        >
          ${symbol('<circle cx="12" cy="12" r="9"/><path d="M12 11v5"/><path d="M12 8v.01"/>')}
        </button>
      </main>
      <noscript>This player needs JavaScript.</noscript>
    </body>`,
  );

/** For an address that no clip has. */
export const missingPage = (): Html =>
  shell(
    'Clip not found',
    false,
    html`<body class="player-page">
      <main>
        <div class="stage">
          <div class="notices">
            <section class="notice">
              <span class="badge">${nothing}</span>
              <h1>This clip is not here</h1>
              <p>The address may be incomplete, or the clip may have been removed.</p>
            </section>
          </div>
        </div>
      </main>
    </body>`,
  );
