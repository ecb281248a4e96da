import { find } from './dom.ts';
import { setText, text } from './language.ts';
import { projectSegment, root } from './service-root.ts';
import { toast } from './toast.ts';

const label = find('[data-action="share"] [data-text]');
const field = find('.link');

/** The clip's page for everybody: it has no token. */
const link = (): string => new URL(`player/${projectSegment}`, root).href;

/** For a browser, or a page around, that allows neither sharing nor the clipboard. */
function showLink(): void {
  const input = find<HTMLInputElement>('input', field);
  field.hidden = false;
  input.value = link();
  input.select();
}

async function copyLink(): Promise<void> {
  try {
    await navigator.clipboard.writeText(link());
    find<HTMLDialogElement>('#more').close();
    toast(text('copied'));
  } catch {
    showLink();
  }
}

/** Passes the link on: by the system's own dialog, or into the clipboard. */
export async function share(): Promise<void> {
  const data = { title: document.title, url: link() };
  if (!navigator.canShare?.(data)) return copyLink();
  try {
    await navigator.share(data);
  } catch (error) {
    if ((error as DOMException).name !== 'AbortError') await copyLink();
  }
}

export function connectShare(): void {
  if (navigator.canShare?.({ url: link() })) setText(label, 'share');
}
