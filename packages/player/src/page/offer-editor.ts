import { find } from './dom.ts';
import { text } from './language.ts';
import { projectSegment, root } from './service-root.ts';
import { toast } from './toast.ts';

const button = find<HTMLButtonElement>('.edit');

/** Shows the button that opens the editor; the address can open it at once. */
export function offerEditor(token: () => string, onClosed: () => void): void {
  if (!button.hidden) return;
  button.hidden = false;
  button.onclick = async () => {
    button.disabled = true;
    find<HTMLVideoElement>('video').pause();
    try {
      const { openEditor } = await import('../editor/editor.ts');
      await openEditor({ root, project: projectSegment, token, onClosed });
    } catch (error) {
      // The service says why itself.
      const { name, message } = error as Error;
      toast(name === 'RefusedCall' ? message : text('offline'));
    } finally {
      button.disabled = false;
    }
  };
  if (new URLSearchParams(location.search).has('edit')) button.click();
}
