// Written by `npm run manifest` from custom-elements.json.

import type { Handlers, Settable, Tag } from './elements.js';
import type { HTMLAttributes } from 'vue';

/** As Vue's tools read a component. */
interface Component<One extends Tag> {
  new (): {
    $props: Settable<One> &
      Handlers<One, 'on'> &
      Capitalized<Handlers<One, ''>> &
      Omit<HTMLAttributes, keyof Settable<One>>;
  };
}

/** A template's `@clip-preview-ready` is `onClipPreviewReady` for its tools. */
type Camel<Text extends string> = Text extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Text;
type Capitalized<Of> = {
  [
    Name in keyof Of & string as `on${Capitalize<Name>}` | `on${Capitalize<Camel<Name>>}`
  ]?: Of[Name];
};

declare module 'vue' {
  interface GlobalComponents {
    'clip-config': Component<'clip-config'>;
    'clip-create': Component<'clip-create'>;
    'clip-embed': Component<'clip-embed'>;
    'clip-export-button': Component<'clip-export-button'>;
    'clip-list': Component<'clip-list'>;
    'clip-preview': Component<'clip-preview'>;
    'clip-videos': Component<'clip-videos'>;
  }
}
