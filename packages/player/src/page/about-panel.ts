import type { EmbedView } from '../clip-view.ts';
import { find } from './dom.ts';

const about = find('.about');
const toggle = find('.about-toggle');

function setOpen(isOpen: boolean): void {
  about.hidden = !isOpen;
  toggle.setAttribute('aria-expanded', String(isOpen));
}

/** Fills the panel with what is known about the clip. */
export function describe(view: EmbedView): void {
  find('.name', about).textContent = view.name;
  find('.explanation', about).textContent = view.explanation ?? '';
  const score = find('.score', about);
  score.hidden = view.score === null;
  if (view.score !== null) {
    const hundredths = Math.round(view.score * 100);
    find('.score-value', score).textContent = String(hundredths);
    find('.meter span', score).style.setProperty('--share', `${hundredths}%`);
  }
  about.classList.add('filled');
  toggle.hidden = false;
}

/** Opens and closes the panel where it has no place beside the clip. */
export function connectAboutPanel(): void {
  toggle.addEventListener('click', () => setOpen(about.hidden !== false));
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !about.hidden && !toggle.hidden) {
      setOpen(false);
      toggle.focus();
    }
  });
}
