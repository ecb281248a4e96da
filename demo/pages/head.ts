import { html, nothing, render, svg, type TemplateResult } from 'lit';
import { logOut, type Session } from './session.ts';

const pages = [
  ['/', 'Studio'],
  ['/elements/clip-embed/', 'Embed'],
  ['/elements/clip-preview/', 'Preview'],
  ['/elements/clip-export-button/', 'Export button'],
  ['/elements/clip-config/', 'Config'],
] as const;

const themes = ['auto', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

const storedTheme = (): Theme => {
  try {
    const stored = localStorage.getItem('theme') as Theme;
    return themes.includes(stored) ? stored : 'auto';
  } catch {
    return 'auto';
  }
};

const applyTheme = (theme: Theme): void => {
  document.documentElement.dataset.theme = theme;
};

const symbols = {
  auto: svg`<path d="M12 3a9 9 0 1 0 0 18z" fill="currentColor"/><circle cx="12" cy="12" r="9"/>`,
  light: svg`<circle cx="12" cy="12" r="4"/><path d="M12 2v2m0 16v2M2 12h2m16 0h2M5 5l1.4 1.4m11.2 11.2L19 19M5 19l1.4-1.4M17.6 6.4 19 5"/>`,
  dark: svg`<path d="M20 14.5A8.5 8.5 0 1 1 9.5 4 7 7 0 0 0 20 14.5z"/>`,
};

const themeButton = (theme: Theme, again: () => void): TemplateResult => {
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'auto';
  const turn = () => {
    try {
      localStorage.setItem('theme', next);
    } catch {
      // Kept for this page alone then.
    }
    applyTheme(next);
    again();
  };
  return html`<button class="icon" @click=${turn} title="Colours: ${theme}">
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      aria-hidden="true"
    >
      ${symbols[theme]}
    </svg>
    <span class="unseen">Colours: ${theme}. Change to ${next}.</span>
  </button>`;
};

export const avatar = (person: { id: string; name: string }): TemplateResult =>
  html`<span class="avatar ${person.id}" aria-hidden="true">${person.name[0]}</span>`;

/** Draws the head of every page: where one is, who one is, light or dark. */
export const drawHead = (session: Session | null): void => {
  const theme = (document.documentElement.dataset.theme as Theme | undefined) ?? storedTheme();
  applyTheme(theme);
  const leave = async () => {
    await logOut();
    location.assign('/');
  };
  const place = document.getElementById('head');
  if (!place) return;
  render(
    html`<header class="head">
      <a class="brand" href="/"><img src="/favicon.svg" alt="" />Cutroom</a>
      <nav aria-label="Pages">
        ${pages.map(
          ([path, name]) =>
            html`<a href=${path} aria-current=${location.pathname === path ? 'page' : nothing}
              >${name}</a
            >`,
        )}
      </nav>
      <div class="end">
        ${themeButton(theme, () => drawHead(session))}
        ${
          session?.person
            ? html`<span class="who"
                  >${avatar(session.person)}<span>${session.person.name}</span></span
                >
                <button class="button quiet" @click=${leave}>Log out</button>`
            : nothing
        }
      </div>
    </header>`,
    place,
  );
};
