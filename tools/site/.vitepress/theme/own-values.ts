import { onContentUpdated } from 'vitepress';
import { onMounted, reactive, watch } from 'vue';

const key = 'clip-kit-docs:own-values';

/** The service and the clip of the reader; empty: the placeholders are shown. */
export const ownValues = reactive({ service: '', clip: '' });

const placeholders = { service: 'https://clips.example', clip: 'PROJECT_ID' };

/** The address without a slash at its end; null for what is not an address of a service. */
export function readService(text: string): string | null {
  if (!text.trim()) return '';
  if (!URL.canParse(text)) return null;
  const { protocol, origin, pathname } = new URL(text);
  return /^https?:$/.test(protocol) ? (origin + pathname).replace(/\/+$/, '') : null;
}

/** The id as it may be in an attribute; null for any other text. */
export const readClip = (text: string): string | null => /^\s*([\w-]*)\s*$/.exec(text)?.[1] ?? null;

export const readShownService = (): string => ownValues.service || placeholders.service;

/** A text of the documentation, with the reader's values in place of the placeholders. */
export const fillText = (text: string): string =>
  text
    .replaceAll(placeholders.service, readShownService)
    .replaceAll(placeholders.clip, () => ownValues.clip || placeholders.clip);

export function keepOwnValues(service: string, clip: string): void {
  Object.assign(ownValues, { service, clip });
  try {
    localStorage.setItem(key, JSON.stringify(ownValues));
  } catch {
    // Storage is blocked: they are kept while the page is open.
  }
}

/** The text of each node of a block, as the page has it. */
const written = new WeakMap<Text, string>();

function fillBlocks(): void {
  for (const code of document.querySelectorAll('.vp-doc pre code')) {
    const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode as Text;
      const before = written.get(text) ?? text.data;
      written.set(text, before);
      if (text.data !== fillText(before)) text.data = fillText(before);
    }
  }
}

/** Reads what the browser remembers, and keeps all blocks of code filled. */
export function useOwnValues(): void {
  onMounted(() => {
    try {
      const { service, clip } = JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<
        typeof ownValues
      >;
      Object.assign(ownValues, {
        service: readService(String(service ?? '')) ?? '',
        clip: readClip(String(clip ?? '')) ?? '',
      });
    } catch {
      // Storage is blocked, or has something else.
    }
  });
  onContentUpdated(fillBlocks);
  watch(ownValues, fillBlocks, { flush: 'post' });
}
