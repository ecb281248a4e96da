import { svg, html, type TemplateResult } from 'lit';

const drawSymbol = (paths: TemplateResult): TemplateResult =>
  html`<svg
    viewBox="0 0 24 24"
    width="22"
    height="22"
    fill="none"
    stroke="currentColor"
    stroke-width="1.75"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    ${paths}
  </svg>`;

export const symbols = {
  undo: drawSymbol(svg`<path d="M8 5 4 9l4 4"/><path d="M4 9h9.5a5.5 5.5 0 0 1 0 11H9"/>`),
  redo: drawSymbol(svg`<path d="m16 5 4 4-4 4"/><path d="M20 9h-9.5a5.5 5.5 0 0 0 0 11H15"/>`),
  play: drawSymbol(
    svg`<path fill="currentColor" stroke="none" d="M7 4.8v14.4a.8.8 0 0 0 1.2.7l12-7.2a.8.8 0 0 0 0-1.4l-12-7.2a.8.8 0 0 0-1.2.7z"/>`,
  ),
  pause: drawSymbol(
    svg`<path fill="currentColor" stroke="none" d="M6.5 5h3.2v14H6.5zM14.3 5h3.2v14h-3.2z"/>`,
  ),
  plus: drawSymbol(svg`<path d="M12 6v12M6 12h12"/>`),
  minus: drawSymbol(svg`<path d="M6 12h12"/>`),
  words: drawSymbol(svg`<path d="M4 6h16M4 12h10M4 18h13"/>`),
  style: drawSymbol(
    svg`<path d="M12 4a8 8 0 1 0 0 16c1.4 0 1.8-.9 1.4-1.9-.5-1.2.2-2.1 1.5-2.1H17a3 3 0 0 0 3-3c0-5-3.6-9-8-9z"/><path d="M8 11h.01M11 8h.01M15 9h.01"/>`,
  ),
  layout: drawSymbol(
    svg`<path d="M4 9V5h4M16 5h4v4M20 15v4h-4M8 19H4v-4"/><rect x="9" y="8" width="6" height="8" rx="1"/>`,
  ),
  export: drawSymbol(svg`<path d="M12 15V4"/><path d="m8 7.5 4-4 4 4"/><path d="M5 14v6h14v-6"/>`),
  post: drawSymbol(svg`<path d="M4 11.5 20 4l-5 16-3.5-6.5z"/><path d="m11.5 13.5 3-3.5"/>`),
  copy: drawSymbol(
    svg`<rect x="9" y="9" width="11" height="11" rx="2"/><path d="M15 9V6a2 2 0 0 0-2-2H6a2 2 0 0 0-2 2v7a2 2 0 0 0 2 2h3"/>`,
  ),
  check: drawSymbol(svg`<path d="m5 12.5 4.5 4.5L19 7.5"/>`),
  previous: drawSymbol(svg`<path d="m14 6-6 6 6 6"/>`),
  next: drawSymbol(svg`<path d="m10 6 6 6-6 6"/>`),
};

const drawPicture = (parts: TemplateResult): TemplateResult =>
  html`<svg viewBox="0 0 36 48" width="36" height="48" aria-hidden="true">${parts}</svg>`;

/** A person at the middle of a place. */
const drawPerson = (x: number, y: number, size: number): TemplateResult =>
  svg`<g class="subject"><circle cx=${x} cy=${y - size * 0.35} r=${size * 0.28}/><path d="M${x - size * 0.55} ${y + size * 0.75}a${size * 0.55} ${size * 0.6} 0 0 1 ${size * 1.1} 0z"/></g>`;

/** Each way of framing as a small picture. */
export const modePictures = {
  crop: drawPicture(
    svg`<rect class="picture" width="36" height="48" rx="4"/>${drawPerson(18, 24, 20)}`,
  ),
  fit: drawPicture(
    svg`<rect class="ground" width="36" height="48" rx="4"/><rect class="picture" y="14" width="36" height="20"/>${drawPerson(18, 25, 11)}`,
  ),
  stack: drawPicture(
    svg`<rect class="picture" width="36" height="48" rx="4"/>${drawPerson(18, 12, 13)}${drawPerson(18, 36, 13)}<path class="seam" d="M0 24h36"/>`,
  ),
  screen: drawPicture(
    svg`<rect class="picture" width="36" height="48" rx="4"/><path class="lines" d="M6 7h24M6 12h18M6 17h21"/><path class="seam" d="M0 23h36"/>${drawPerson(18, 36, 14)}`,
  ),
};
