// Written by `npm run manifest` from custom-elements.json.
import type { ClipElements, Handlers, Settable, Tag } from './elements.js';
import type { ClassAttributes, HTMLAttributes } from 'preact';

type Props<One extends Tag> = Settable<One> &
  Handlers<One, 'on'> &
  ClassAttributes<ClipElements[One]['element']> &
  Omit<HTMLAttributes<ClipElements[One]['element']>, keyof Settable<One>>;

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'clip-config': Props<'clip-config'>;
      'clip-create': Props<'clip-create'>;
      'clip-embed': Props<'clip-embed'>;
      'clip-export-button': Props<'clip-export-button'>;
      'clip-list': Props<'clip-list'>;
      'clip-preview': Props<'clip-preview'>;
      'clip-videos': Props<'clip-videos'>;
    }
  }
}
