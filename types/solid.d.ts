// Written by `npm run manifest` from custom-elements.json.
import type { ClipElements, Handlers, Settable, Tag } from './elements.js';
import type { JSX } from 'solid-js';

type Prefixed<Of, Prefix extends string> = {
  [Name in keyof Of & string as `${Prefix}:${Name}`]?: Of[Name];
};

type Props<One extends Tag> = Settable<One> &
  Handlers<One, 'on:'> &
  Prefixed<ClipElements[One]['properties'], 'prop'> &
  Prefixed<ClipElements[One]['attributes'], 'attr'> &
  Omit<JSX.HTMLAttributes<ClipElements[One]['element']>, keyof Settable<One>>;

declare module 'solid-js' {
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
