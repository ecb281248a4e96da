// Written by `npm run manifest` from custom-elements.json.

import type { ClipElements, Handlers, Settable, Tag } from './elements.js';
import type { HTMLAttributes } from 'svelte/elements';

type Props<One extends Tag> = Settable<One> &
  Handlers<One, 'on'> &
  Handlers<One, 'on:'> &
  Omit<
    HTMLAttributes<ClipElements[One]['element']>,
    keyof Settable<One> | keyof Handlers<One, 'on'>
  >;

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'clip-config': Props<'clip-config'>;
    'clip-create': Props<'clip-create'>;
    'clip-embed': Props<'clip-embed'>;
    'clip-export-button': Props<'clip-export-button'>;
    'clip-list': Props<'clip-list'>;
    'clip-preview': Props<'clip-preview'>;
    'clip-videos': Props<'clip-videos'>;
  }
}
