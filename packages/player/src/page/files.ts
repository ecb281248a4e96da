import type { EmbedView } from '../clip-view.ts';
import { find } from './dom.ts';
import { text } from './language.ts';
import { projectSegment, root } from './service-root.ts';
import { toast } from './toast.ts';

const list = find('.files');

/** Saves a file: a link cannot send the token. Gives the notice if that failed. */
async function save(
  name: string,
  clip: string,
  token: string | null,
): Promise<'refused' | 'missing' | 'offline' | null> {
  const url = new URL(`embed-api/projects/${projectSegment}/files/${name}`, root);
  const answer = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
  if (answer.status === 401) return 'refused';
  if (answer.status === 404) return 'missing';
  if (!answer.ok) return 'offline';
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await answer.blob());
  link.download = `${clip}.${name}`;
  link.click();
  URL.revokeObjectURL(link.href);
  return null;
}

/** Offers the files of the clip for other programs. */
export function offerFiles({ files, name: clip }: EmbedView, token: () => string | null): void {
  list.hidden = files.length === 0;
  find('div', list).replaceChildren(
    ...files.map((name) => {
      const button = document.createElement('button');
      button.className = 'row';
      button.textContent = name;
      button.onclick = async () => {
        const notice = await save(name, clip, token()).catch(() => 'offline' as const);
        if (!notice) return;
        find<HTMLDialogElement>('#more').close();
        toast(text(notice));
      };
      return button;
    }),
  );
}
