import { html, raw } from 'hono/html';

const drawSymbol = (paths: string) =>
  html`<svg
    viewBox="0 0 24 24"
    width="24"
    height="24"
    fill="none"
    stroke="currentColor"
    stroke-width="1.75"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    ${raw(paths)}
  </svg>`;

/** Drawn by a class of its own if a button has two. */
const drawSolid = (paths: string, name: string) =>
  html`<svg class="${name}" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
    ${raw(paths)}
  </svg>`;

const speaker = '<path d="M4 9.5v5h3.5L12 18.5v-13L7.5 9.5z"/>';

export const symbols = {
  play: drawSolid(
    '<path fill="currentColor" d="M7 4.8v14.4a.8.8 0 0 0 1.2.7l12-7.2a.8.8 0 0 0 0-1.4l-12-7.2a.8.8 0 0 0-1.2.7z"/>',
    'when-paused',
  ),
  pause: drawSolid(
    '<path fill="currentColor" d="M6.5 5h3.2v14H6.5zM14.3 5h3.2v14h-3.2z"/>',
    'when-playing',
  ),
  sound: drawSymbol(
    `<g class="when-audible"><path d="M15.5 9a4.2 4.2 0 0 1 0 6"/><path d="M18 6.5a7.8 7.8 0 0 1 0 11"/></g><g class="when-muted"><path d="m16 9.5 5 5"/><path d="m21 9.5-5 5"/></g>${speaker}`,
  ),
  muted: drawSymbol(`${speaker}<path d="m16 9.5 5 5"/><path d="m21 9.5-5 5"/>`),
  captions: drawSymbol(
    '<rect x="3" y="5" width="18" height="14" rx="3"/><path d="M10.5 10.6a2 2 0 1 0 0 2.8"/><path d="M17 10.6a2 2 0 1 0 0 2.8"/>',
  ),
  more: drawSymbol(
    '<g fill="currentColor" stroke-width="1"><circle cx="5" cy="12" r="1.3"/><circle cx="12" cy="12" r="1.3"/><circle cx="19" cy="12" r="1.3"/></g>',
  ),
  fullscreen: drawSymbol(
    '<g class="when-small"><path d="M4 9V4h5"/><path d="M15 4h5v5"/><path d="M20 15v5h-5"/><path d="M9 20H4v-5"/></g><g class="when-full"><path d="M9 4v5H4"/><path d="M20 9h-5V4"/><path d="M15 20v-5h5"/><path d="M4 15h5v5"/></g>',
  ),
  pip: drawSymbol(
    '<rect x="3" y="5" width="18" height="14" rx="2"/><rect x="12" y="11.5" width="6.5" height="5" rx="1" fill="currentColor"/>',
  ),
  share: drawSymbol('<path d="M12 15V4"/><path d="m8 7.5 4-4 4 4"/><path d="M6 11H5v9h14v-9h-1"/>'),
  download: drawSymbol('<path d="M12 4v11"/><path d="m8 11.5 4 4 4-4"/><path d="M5 20h14"/>'),
  files: drawSymbol('<path d="M6 3h8l4 4v14H6z"/><path d="M14 3v4h4"/><path d="M9 13h6M9 17h6"/>'),
  keyboard: drawSymbol(
    '<rect x="2.5" y="6" width="19" height="12" rx="2"/><path d="M6.5 10h.01M10 10h.01M13.5 10h.01M17 10h.01M8 14h8"/>',
  ),
  close: drawSymbol('<path d="m6 6 12 12"/><path d="M18 6 6 18"/>'),
  about: drawSymbol('<circle cx="12" cy="12" r="9"/><path d="M12 11v5"/><path d="M12 8v.01"/>'),
  broken: drawSymbol('<path d="M12 8v5"/><path d="M12 16.5v.01"/><circle cx="12" cy="12" r="9"/>'),
  all: drawSymbol(
    '<rect x="4" y="4" width="6.5" height="6.5" rx="1.5"/><rect x="13.5" y="4" width="6.5" height="6.5" rx="1.5"/><rect x="4" y="13.5" width="6.5" height="6.5" rx="1.5"/><rect x="13.5" y="13.5" width="6.5" height="6.5" rx="1.5"/>',
  ),
  locked: drawSymbol(
    '<rect x="5" y="11" width="14" height="9" rx="2"/><path d="M8 11V8a4 4 0 0 1 8 0v3"/>',
  ),
  nothing: drawSymbol(
    '<rect x="3" y="5" width="18" height="14" rx="3"/><path d="m9.5 9.5 5 5"/><path d="m14.5 9.5-5 5"/>',
  ),
};
