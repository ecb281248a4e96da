import { html, nothing, render, svg, type TemplateResult } from 'lit';
import { createChoice, type Choice } from './choice.ts';
import { logOut, type Session } from './session.ts';

const elementPages = [
  ['/elements/clip-embed/', 'Embed'],
  ['/elements/clip-preview/', 'Preview'],
  ['/elements/clip-export-button/', 'Export'],
  ['/elements/clip-list/', 'List'],
  ['/elements/clip-feed/', 'Feed'],
  ['/elements/clip-config/', 'Config'],
  ['/elements/playground/', 'Playground'],
] as const;

const pages = [
  ['/', 'Studio'],
  [elementPages[0][0], 'Elements'],
  ['/elements/your-look/', 'Look'],
  ['/docs/', 'Docs'],
] as const;

const symbols = {
  theme: {
    auto: svg`<path d="M12 3a9 9 0 1 0 0 18z" fill="currentColor"/><circle cx="12" cy="12" r="9"/>`,
    light: svg`<circle cx="12" cy="12" r="4"/><path d="M12 2v2m0 16v2M2 12h2m16 0h2M5 5l1.4 1.4m11.2 11.2L19 19M5 19l1.4-1.4M17.6 6.4 19 5"/>`,
    dark: svg`<path d="M20 14.5A8.5 8.5 0 1 1 9.5 4 7 7 0 0 0 20 14.5z"/>`,
  },
  look: {
    usual: svg`<circle cx="12" cy="12" r="9"/><path d="M10 8.5v7l6-3.5z" fill="currentColor"/>`,
    print: svg`<path d="M4 4h16v16H4z"/><path d="M10 8.5v7l6-3.5z" fill="currentColor"/>`,
  },
};

/** A round button that switches to the next value of a choice. */
function drawChoiceButton<Value extends string>(
  name: string,
  { value, next, turn }: Choice<Value>,
  pictures: Readonly<Record<Value, unknown>>,
  again: () => void,
): TemplateResult {
  const click = () => {
    turn();
    again();
  };
  return html`<button class="icon" @click=${click} title="${name}: ${value}">
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      aria-hidden="true"
    >
      ${pictures[value]}
    </svg>
    <span class="visually-hidden">${name}: ${value}. Change to ${next}.</span>
  </button>`;
}

export const drawAvatar = (person: { id: string; name: string }): TemplateResult =>
  html`<span class="avatar ${person.id}" aria-hidden="true">${person.name[0]}</span>`;

const link = (path: string, name: string, now: 'page' | 'true' | undefined): TemplateResult =>
  html`<a href=${path} aria-current=${now ?? nothing}>${name}</a>`;

/**
 * Draws the head of every page: the current page, the current person, light or dark, and the look
 * of the elements.
 */
export function drawHead(session: Session | null): void {
  const theme = createChoice('theme', ['auto', 'light', 'dark']);
  const look = createChoice('look', ['usual', 'print']);
  const again = () => drawHead(session);
  const leave = async () => {
    await logOut();
    location.assign('/');
  };
  const current = (path: string) => (location.pathname === path ? 'page' : undefined);
  const isElementPage = elementPages.some(([path]) => current(path));
  const place = document.getElementById('head');
  if (!place) return;
  render(
    html`<header class="head">
        <a class="brand" href="/"><img src="/favicon.svg" alt="" />Cutroom</a>
        <nav aria-label="Pages">
          ${pages.map(([path, name]) =>
            link(path, name, name === 'Elements' && isElementPage ? 'true' : current(path)),
          )}
        </nav>
        <div class="end">
          ${drawChoiceButton('Look of the elements', look, symbols.look, again)}
          ${drawChoiceButton('Colours', theme, symbols.theme, again)}
          ${
            session?.person
              ? html`<span class="who"
                    >${drawAvatar(session.person)}<span>${session.person.name}</span></span
                  >
                  <button class="button quiet" @click=${leave}>Log out</button>`
              : nothing
          }
        </div>
      </header>
      ${
        isElementPage
          ? html`<nav class="elements" aria-label="Elements">
              ${elementPages.map(([path, name]) => link(path, name, current(path)))}
            </nav>`
          : nothing
      }`,
    place,
  );
}
