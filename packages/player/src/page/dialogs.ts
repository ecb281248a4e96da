import { find } from './dom.ts';

export function openDialog(name: 'more' | 'help'): void {
  for (const open of document.querySelectorAll<HTMLDialogElement>('dialog[open]')) open.close();
  find<HTMLDialogElement>(`#${name}`).showModal();
}

/** A click beside a dialog closes it, also where the browser does not do so itself. */
export function connectDialogs(): void {
  for (const dialog of document.querySelectorAll('dialog')) {
    dialog.addEventListener('click', ({ target }) => {
      if (target === dialog) dialog.close();
    });
  }
}
