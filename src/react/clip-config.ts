// Written by `npm run manifest` from custom-elements.json.
import { ClipConfig as Element } from '../define/clip-config.ts';
import { wrap, type Wrapper } from './wrap.ts';

type Fields =
  | 'endpoint'
  | 'appUrl'
  | 'playerUrl'
  | 'posterUrl'
  | 'credentials'
  | 'csrfHeader'
  | 'csrfToken'
  | 'csrfUrl'
  | 'session'
  | 'getSession'
  | 'handshake';

type Events = object;

/**
 * Settings for the clip elements inside it. Draws nothing.
 * The element `<clip-config>`, with its properties and events as props.
 */
export const ClipConfig: Wrapper<Element, Fields, Events> = /* @__PURE__ */ wrap('clip-config', {
  attributes: [
    'endpoint',
    'appUrl',
    'playerUrl',
    'posterUrl',
    'credentials',
    'csrfHeader',
    'csrfToken',
    'csrfUrl',
    'session',
    'handshake',
  ],
  properties: ['getSession'],
  events: {},
});
