// Written by `npm run manifest` from custom-elements.json.
import type { ClipConfig } from '../dist/elements/clip-config/clip-config.js';
import type { ClipCreate } from '../dist/elements/clip-create/clip-create.js';
import type {
  ClipCreateErrorEvent,
  ClipCreateStartEvent,
  ClipTaskEvent,
  ClipUploadEvent,
} from '../dist/elements/clip-create/clip-create-events.js';
import type {
  ClipEditErrorEvent,
  ClipEditEvent,
  ClipEmbedErrorEvent,
  ClipEmbedReadyEvent,
  ClipTokenRenewedEvent,
} from '../dist/elements/clip-embed/clip-embed-events.js';
import type { ClipEmbed } from '../dist/elements/clip-embed/clip-embed.js';
import type { ClipExportButton } from '../dist/elements/clip-export-button/clip-export-button.js';
import type {
  ClipExportErrorEvent,
  ClipExportProgressEvent,
  ClipExportReadyEvent,
  ClipExportStartEvent,
} from '../dist/elements/clip-export-button/clip-export-events.js';
import type { ClipList } from '../dist/elements/clip-list/clip-list.js';
import type {
  ClipListChangeEvent,
  ClipListErrorEvent,
  ClipListItemEvent,
  ClipListProgressEvent,
  ClipListReadyEvent,
} from '../dist/elements/clip-list/clip-list-events.js';
import type { ClipPreview } from '../dist/elements/clip-preview/clip-preview.js';
import type {
  ClipPreviewActivateEvent,
  ClipPreviewErrorEvent,
  ClipPreviewReadyEvent,
} from '../dist/elements/clip-preview/clip-preview-events.js';
import type { ClipSignedOutEvent } from '../dist/elements/sign-in.js';
import type {
  ClipVideoEvent,
  ClipVideosChangeEvent,
  ClipVideosErrorEvent,
} from '../dist/elements/clip-videos/clip-videos-events.js';
import type { ClipVideos } from '../dist/elements/clip-videos/clip-videos.js';

/** A value, or the text of it that an attribute has. */
type Attribute<Value> =
  | Value
  | (Value extends number | boolean ? `${Value}` : Value extends string | null ? never : string)
  | (Value extends boolean ? '' : never)
  | undefined;

/** `<clip-config>` */
export interface ClipConfigProperties {
  /** The page's own backend, which keeps the host contract. */
  endpoint?: ClipConfig['endpoint'] | undefined;
  /** Base URL of the embed pages, or an address with `{id}`; `{lang}` in it is the language. */
  appUrl?: ClipConfig['appUrl'] | undefined;
  /** Base URL of the preview pages, or an address with `{id}`; `{lang}` in it is the language. */
  playerUrl?: ClipConfig['playerUrl'] | undefined;
  /** Address of the posters of all previews that have none of their own, with `{project}` for the id, such as `https://clips.example/player/{project}/poster.jpg`; `{lang}` is the language. */
  posterUrl?: ClipConfig['posterUrl'] | undefined;
  /** Credentials of the requests to the endpoint: `same-origin` (default) or `include`. */
  credentials?: ClipConfig['credentials'] | undefined;
  /** Name of the header that carries `csrfToken`. Default: `X-CSRF-Token`. */
  csrfHeader?: ClipConfig['csrfHeader'] | undefined;
  /** The page's CSRF token. */
  csrfToken?: ClipConfig['csrfToken'] | undefined;
  /** Where a fresh CSRF token is fetched once if the host refuses the present one. */
  csrfUrl?: ClipConfig['csrfUrl'] | undefined;
  /** Address of the site that answers with the session of its user, `{"session": "…"}`, or 401 if no user is signed in. With it, calls to the endpoint carry the session and no cookie. */
  session?: ClipConfig['session'] | undefined;
  /** Returns the session, or null if no user is signed in; wins over the address. */
  getSession?: ClipConfig['getSession'] | undefined;
  /** The message that the framed page posts when it has loaded: a text, or the `type` of an object. If omitted, the frame's `load` event counts, and the message `clip-ready` of our own pages. */
  handshake?: ClipConfig['handshake'] | undefined;
}
export interface ClipConfigAttributes {
  /** The page's own backend, which keeps the host contract. */
  endpoint?: Attribute<ClipConfig['endpoint']>;
  /** Base URL of the embed pages, or an address with `{id}`; `{lang}` in it is the language. */
  'app-url'?: Attribute<ClipConfig['appUrl']>;
  /** Base URL of the preview pages, or an address with `{id}`; `{lang}` in it is the language. */
  'player-url'?: Attribute<ClipConfig['playerUrl']>;
  /** Address of the posters of all previews that have none of their own, with `{project}` for the id, such as `https://clips.example/player/{project}/poster.jpg`; `{lang}` is the language. */
  'poster-url'?: Attribute<ClipConfig['posterUrl']>;
  /** Credentials of the requests to the endpoint: `same-origin` (default) or `include`. */
  credentials?: Attribute<ClipConfig['credentials']>;
  /** Name of the header that carries `csrfToken`. Default: `X-CSRF-Token`. */
  'csrf-header'?: Attribute<ClipConfig['csrfHeader']>;
  /** The page's CSRF token. */
  'csrf-token'?: Attribute<ClipConfig['csrfToken']>;
  /** Where a fresh CSRF token is fetched once if the host refuses the present one. */
  'csrf-url'?: Attribute<ClipConfig['csrfUrl']>;
  /** Address of the site that answers with the session of its user, `{"session": "…"}`, or 401 if no user is signed in. With it, calls to the endpoint carry the session and no cookie. */
  session?: Attribute<ClipConfig['session']>;
  /** The message that the framed page posts when it has loaded: a text, or the `type` of an object. If omitted, the frame's `load` event counts, and the message `clip-ready` of our own pages. */
  handshake?: Attribute<ClipConfig['handshake']>;
}
export interface ClipConfigEvents {}

/** `<clip-create>` */
export interface ClipCreateProperties {
  /** Id of the `<clip-videos>` that shows a new video at once. */
  for?: ClipCreate['for'] | undefined;
  /** Accessible name of the element. */
  label?: ClipCreate['label'] | undefined;
  /** Which options a person can choose, such as `count length style`; the others stay as they are set here. All by default; none if empty. */
  options?: ClipCreate['options'] | undefined;
  /** What is made: several clips, or one edited video. */
  kind?: ClipCreate['kind'] | undefined;
  /** At most so many clips. Default: the service decides. */
  count?: ClipCreate['count'] | undefined;
  /** About so many seconds for each clip. Default: the service decides. */
  length?: ClipCreate['length'] | undefined;
  /** The language that is spoken (BCP 47). Default: it is recognised. */
  language?: ClipCreate['language'] | undefined;
  /** The language that captions are translated to. Default: they are not. */
  translateTo?: ClipCreate['translateTo'] | undefined;
  /** Shape of the clips: `9:16` (default), `4:5`, `1:1` or `16:9`. */
  shape?: ClipCreate['shape'] | undefined;
  /** Without captions. */
  noCaptions?: ClipCreate['noCaptions'] | undefined;
  /** Without emoji in the captions. */
  noEmojis?: ClipCreate['noEmojis'] | undefined;
  /** Without a title at the beginning. */
  noTitle?: ClipCreate['noTitle'] | undefined;
  /** Cuts silences out. */
  removeSilences?: ClipCreate['removeSilences'] | undefined;
  /** Id of the style of captions and title. */
  presetId?: ClipCreate['presetId'] | undefined;
  /** The styles to choose from. Default: those at `presetsUrl`. As an attribute: JSON. */
  presets?: ClipCreate['presets'] | undefined;
  /** Address of the list of styles, such as the service's `/presets`. */
  presetsUrl?: ClipCreate['presetsUrl'] | undefined;
  /** The largest file, in bytes. Default: the service says so before the first byte is sent. */
  maxBytes?: ClipCreate['maxBytes'] | undefined;
  /** The longest video, in seconds. Default: 5 hours, and 15 minutes for one edited video. */
  maxSeconds?: ClipCreate['maxSeconds'] | undefined;
  /** The page's own backend. Default: that of the nearest `<clip-config>`, or of `configure()`. */
  endpoint?: ClipCreate['endpoint'] | undefined;
  /** Credentials of the requests to the endpoint: `same-origin` (default) or `include`. */
  credentials?: ClipCreate['credentials'] | undefined;
  /** Name of the header that carries `csrfToken`. Default: `X-CSRF-Token`. */
  csrfHeader?: ClipCreate['csrfHeader'] | undefined;
  /** The page's CSRF token. */
  csrfToken?: ClipCreate['csrfToken'] | undefined;
  /** Where a fresh CSRF token is fetched once if the host refuses the present one. */
  csrfUrl?: ClipCreate['csrfUrl'] | undefined;
  /** Address of the site that answers with the session of its user, `{"session": "…"}`, or 401 if no user is signed in. With it, calls to the endpoint carry the session and no cookie. */
  session?: ClipCreate['session'] | undefined;
  /** Returns the session, or null if no user is signed in; wins over the address. */
  getSession?: ClipCreate['getSession'] | undefined;
}
export interface ClipCreateAttributes {
  /** Id of the `<clip-videos>` that shows a new video at once. */
  for?: Attribute<ClipCreate['for']>;
  /** Accessible name of the element. */
  label?: Attribute<ClipCreate['label']>;
  /** Which options a person can choose, such as `count length style`; the others stay as they are set here. All by default; none if empty. */
  options?: Attribute<ClipCreate['options']>;
  /** What is made: several clips, or one edited video. */
  kind?: Attribute<ClipCreate['kind']>;
  /** At most so many clips. Default: the service decides. */
  count?: Attribute<ClipCreate['count']>;
  /** About so many seconds for each clip. Default: the service decides. */
  length?: Attribute<ClipCreate['length']>;
  /** The language that is spoken (BCP 47). Default: it is recognised. */
  language?: Attribute<ClipCreate['language']>;
  /** The language that captions are translated to. Default: they are not. */
  'translate-to'?: Attribute<ClipCreate['translateTo']>;
  /** Shape of the clips: `9:16` (default), `4:5`, `1:1` or `16:9`. */
  shape?: Attribute<ClipCreate['shape']>;
  /** Without captions. */
  'no-captions'?: Attribute<ClipCreate['noCaptions']>;
  /** Without emoji in the captions. */
  'no-emojis'?: Attribute<ClipCreate['noEmojis']>;
  /** Without a title at the beginning. */
  'no-title'?: Attribute<ClipCreate['noTitle']>;
  /** Cuts silences out. */
  'remove-silences'?: Attribute<ClipCreate['removeSilences']>;
  /** Id of the style of captions and title. */
  'preset-id'?: Attribute<ClipCreate['presetId']>;
  /** The styles to choose from. Default: those at `presetsUrl`. As an attribute: JSON. */
  presets?: Attribute<ClipCreate['presets']>;
  /** Address of the list of styles, such as the service's `/presets`. */
  'presets-url'?: Attribute<ClipCreate['presetsUrl']>;
  /** The largest file, in bytes. Default: the service says so before the first byte is sent. */
  'max-bytes'?: Attribute<ClipCreate['maxBytes']>;
  /** The longest video, in seconds. Default: 5 hours, and 15 minutes for one edited video. */
  'max-seconds'?: Attribute<ClipCreate['maxSeconds']>;
  /** The page's own backend. Default: that of the nearest `<clip-config>`, or of `configure()`. */
  endpoint?: Attribute<ClipCreate['endpoint']>;
  /** Credentials of the requests to the endpoint: `same-origin` (default) or `include`. */
  credentials?: Attribute<ClipCreate['credentials']>;
  /** Name of the header that carries `csrfToken`. Default: `X-CSRF-Token`. */
  'csrf-header'?: Attribute<ClipCreate['csrfHeader']>;
  /** The page's CSRF token. */
  'csrf-token'?: Attribute<ClipCreate['csrfToken']>;
  /** Where a fresh CSRF token is fetched once if the host refuses the present one. */
  'csrf-url'?: Attribute<ClipCreate['csrfUrl']>;
  /** Address of the site that answers with the session of its user, `{"session": "…"}`, or 401 if no user is signed in. With it, calls to the endpoint carry the session and no cookie. */
  session?: Attribute<ClipCreate['session']>;
}
export interface ClipCreateEvents {
  /** A file is being sent, or has arrived. */
  'clip-upload': ClipUploadEvent;
  /** Before anything is sent; cancelable. */
  'clip-create-start': ClipCreateStartEvent;
  /** A task has started. */
  'clip-task': ClipTaskEvent;
  /** A file, an upload or a start has failed. */
  'clip-create-error': ClipCreateErrorEvent;
  /** No user is signed in; it goes on once one is. */
  'clip-signed-out': ClipSignedOutEvent;
}

/** `<clip-embed>` */
export interface ClipEmbedProperties {
  /** `lazy`: gets a token and loads near the viewport. `eager`: at once. */
  loading?: ClipEmbed['loading'] | undefined;
  /** Opens the page with its editor, for tokens that may edit. A change loads the frame again. */
  edit?: ClipEmbed['edit'] | undefined;
  /** Returns the token; wins over `endpoint`. */
  getToken?: ClipEmbed['getToken'] | undefined;
  /** `fragment`: passes a renewed token on without a reload. `none`: no renewal. */
  renew?: ClipEmbed['renew'] | undefined;
  /** Base URL of the embed pages; the page of a clip is at `/embed/{id}`. If it contains `{id}`, it is the whole address, such as `https://x.example/watch/{id}#jwt={token}`. `{lang}` in it is the page's language. Default as for `endpoint`. */
  appUrl?: ClipEmbed['appUrl'] | undefined;
  /** The page's own backend. Default: that of the nearest `<clip-config>`, or of `configure()`. */
  endpoint?: ClipEmbed['endpoint'] | undefined;
  /** Credentials of the requests to the endpoint: `same-origin` (default) or `include`. */
  credentials?: ClipEmbed['credentials'] | undefined;
  /** Name of the header that carries `csrfToken`. Default: `X-CSRF-Token`. */
  csrfHeader?: ClipEmbed['csrfHeader'] | undefined;
  /** The page's CSRF token. */
  csrfToken?: ClipEmbed['csrfToken'] | undefined;
  /** Where a fresh CSRF token is fetched once if the host refuses the present one. */
  csrfUrl?: ClipEmbed['csrfUrl'] | undefined;
  /** Address of the site that answers with the session of its user, `{"session": "…"}`, or 401 if no user is signed in. With it, calls to the endpoint carry the session and no cookie. */
  session?: ClipEmbed['session'] | undefined;
  /** Returns the session, or null if no user is signed in; wins over the address. */
  getSession?: ClipEmbed['getSession'] | undefined;
  /** A token that the page already has. Reads as null, and the attribute is emptied once read. */
  token?: ClipEmbed['token'] | undefined;
  /** The clip's project id. */
  project?: ClipEmbed['project'] | undefined;
  /** The message that the framed page posts when it has loaded: a text, or the `type` of an object. If omitted, the frame's `load` event counts, and the message `clip-ready` of our own pages. */
  handshake?: ClipEmbed['handshake'] | undefined;
  /** Accessible name of the frame. */
  label?: ClipEmbed['label'] | undefined;
  /** Permissions policy of the frame. A feature without an origin is for the origin of the clip's page. A change loads the frame again. */
  allow?: ClipEmbed['allow'] | undefined;
  /** Sandbox of the frame; none by default. A change loads the frame again. */
  sandbox?: ClipEmbed['sandbox'] | undefined;
  /** Referrer policy of the frame. A change loads the frame again. */
  referrerPolicy?: ClipEmbed['referrerPolicy'] | undefined;
  /** Milliseconds until the error `frame-timeout`, or `frame-blank` if there was a `load` event but no handshake. */
  timeout?: ClipEmbed['timeout'] | undefined;
  /** Plays as soon as the frame has loaded: with sound where the browser allows it, otherwise muted. */
  autoplay?: ClipEmbed['autoplay'] | undefined;
  /** Begins again at the end. */
  loop?: ClipEmbed['loop'] | undefined;
  /** Plays within the page on phones. Without it they may open the clip in full screen. */
  playsInline?: ClipEmbed['playsInline'] | undefined;
  /** Plays beside the others on the page: it neither pauses them nor is paused by them. */
  noExclusive?: ClipEmbed['noExclusive'] | undefined;
  /** Width of the clip in pixels. With `height`, it sets the aspect ratio before the clip loads. */
  width?: ClipEmbed['width'] | undefined;
  /** Height of the clip in pixels. */
  height?: ClipEmbed['height'] | undefined;
  /** Seconds from the start. Can be set. */
  currentTime?: ClipEmbed['currentTime'] | undefined;
  /** 0 to 1. Can be set. */
  volume?: ClipEmbed['volume'] | undefined;
  /** Whether the sound is off. As in HTML, the attribute is only its value at the start. */
  muted?: ClipEmbed['muted'] | undefined;
  /** 1 is the usual speed. Can be set. */
  playbackRate?: ClipEmbed['playbackRate'] | undefined;
}
export interface ClipEmbedAttributes {
  /** `lazy`: gets a token and loads near the viewport. `eager`: at once. */
  loading?: Attribute<ClipEmbed['loading']>;
  /** Opens the page with its editor, for tokens that may edit. A change loads the frame again. */
  edit?: Attribute<ClipEmbed['edit']>;
  /** `fragment`: passes a renewed token on without a reload. `none`: no renewal. */
  renew?: Attribute<ClipEmbed['renew']>;
  /** Base URL of the embed pages; the page of a clip is at `/embed/{id}`. If it contains `{id}`, it is the whole address, such as `https://x.example/watch/{id}#jwt={token}`. `{lang}` in it is the page's language. Default as for `endpoint`. */
  'app-url'?: Attribute<ClipEmbed['appUrl']>;
  /** The page's own backend. Default: that of the nearest `<clip-config>`, or of `configure()`. */
  endpoint?: Attribute<ClipEmbed['endpoint']>;
  /** Credentials of the requests to the endpoint: `same-origin` (default) or `include`. */
  credentials?: Attribute<ClipEmbed['credentials']>;
  /** Name of the header that carries `csrfToken`. Default: `X-CSRF-Token`. */
  'csrf-header'?: Attribute<ClipEmbed['csrfHeader']>;
  /** The page's CSRF token. */
  'csrf-token'?: Attribute<ClipEmbed['csrfToken']>;
  /** Where a fresh CSRF token is fetched once if the host refuses the present one. */
  'csrf-url'?: Attribute<ClipEmbed['csrfUrl']>;
  /** Address of the site that answers with the session of its user, `{"session": "…"}`, or 401 if no user is signed in. With it, calls to the endpoint carry the session and no cookie. */
  session?: Attribute<ClipEmbed['session']>;
  /** A token that the page already has. Reads as null, and the attribute is emptied once read. */
  token?: Attribute<ClipEmbed['token']>;
  /** The clip's project id. */
  project?: Attribute<ClipEmbed['project']>;
  /** The message that the framed page posts when it has loaded: a text, or the `type` of an object. If omitted, the frame's `load` event counts, and the message `clip-ready` of our own pages. */
  handshake?: Attribute<ClipEmbed['handshake']>;
  /** Accessible name of the frame. */
  label?: Attribute<ClipEmbed['label']>;
  /** Permissions policy of the frame. A feature without an origin is for the origin of the clip's page. A change loads the frame again. */
  allow?: Attribute<ClipEmbed['allow']>;
  /** Sandbox of the frame; none by default. A change loads the frame again. */
  sandbox?: Attribute<ClipEmbed['sandbox']>;
  /** Referrer policy of the frame. A change loads the frame again. */
  referrerpolicy?: Attribute<ClipEmbed['referrerPolicy']>;
  /** Milliseconds until the error `frame-timeout`, or `frame-blank` if there was a `load` event but no handshake. */
  timeout?: Attribute<ClipEmbed['timeout']>;
  /** Plays as soon as the frame has loaded: with sound where the browser allows it, otherwise muted. */
  autoplay?: Attribute<ClipEmbed['autoplay']>;
  /** Begins again at the end. */
  loop?: Attribute<ClipEmbed['loop']>;
  /** Plays within the page on phones. Without it they may open the clip in full screen. */
  playsinline?: Attribute<ClipEmbed['playsInline']>;
  /** Plays beside the others on the page: it neither pauses them nor is paused by them. */
  'no-exclusive'?: Attribute<ClipEmbed['noExclusive']>;
  /** Width of the clip in pixels. With `height`, it sets the aspect ratio before the clip loads. */
  width?: Attribute<ClipEmbed['width']>;
  /** Height of the clip in pixels. */
  height?: Attribute<ClipEmbed['height']>;
  /** Whether the sound is off. As in HTML, the attribute is only its value at the start. */
  muted?: Attribute<ClipEmbed['muted']>;
}
export interface ClipEmbedEvents {
  /** The frame has loaded. */
  'clip-embed-ready': ClipEmbedReadyEvent;
  /** The embed or its token failed; `error` says why. */
  'clip-embed-error': ClipEmbedErrorEvent;
  /** A new token was passed to the frame. */
  'clip-token-renewed': ClipTokenRenewedEvent;
  /** The clip was changed in the frame's editor, or is being saved. */
  'clip-edit': ClipEditEvent;
  /** A change could not be saved; `error` says why. */
  'clip-edit-error': ClipEditErrorEvent;
  /** Playback begins. Like all media events, it does not bubble. */
  play: Event;
  /** The picture moves. */
  playing: Event;
  /** Playback is paused, or has reached the end. */
  pause: Event;
  /** Playback has reached the end. */
  ended: Event;
  /** `currentTime` has changed. */
  timeupdate: Event;
  /** `duration` has changed. */
  durationchange: Event;
  /** `volume` or `muted` has changed. */
  volumechange: Event;
  /** `playbackRate` has changed. */
  ratechange: Event;
  /** `currentTime` was set. */
  seeking: Event;
  /** The player is at the new time. */
  seeked: Event;
  /** The player waits for data. */
  waiting: Event;
  /** More of the clip has been loaded. */
  progress: Event;
  /** The player knows the clip. */
  loadedmetadata: Event;
  /** The player could not play the clip. */
  error: Event;
  /** No user is signed in; it goes on once one is. */
  'clip-signed-out': ClipSignedOutEvent;
}

/** `<clip-export-button>` */
export interface ClipExportButtonProperties {
  /** The clip's project id. */
  project?: ClipExportButton['project'] | undefined;
  /** Id of the clip's folder, if it has one. */
  folder?: ClipExportButton['folder'] | undefined;
  /** Name of the clip: "Export: Harbour" is then the button's accessible name. */
  label?: ClipExportButton['label'] | undefined;
  /** URL of the watermark's image. */
  watermarkSrc?: ClipExportButton['watermarkSrc'] | undefined;
  /** Its horizontal position, 0 to 1. Default 0.5. */
  watermarkX?: ClipExportButton['watermarkX'] | undefined;
  /** Its vertical position, 0 to 1. Default 0.5. */
  watermarkY?: ClipExportButton['watermarkY'] | undefined;
  /** Its size factor. Default 1. */
  watermarkScale?: ClipExportButton['watermarkScale'] | undefined;
  /** The watermark as an object, which is its attribute as JSON; wins over the four above. */
  watermark?: ClipExportButton['watermark'] | undefined;
  /** Id of a styling preset. Cannot be combined with a watermark. */
  presetId?: ClipExportButton['presetId'] | undefined;
  /** Id of an existing export to watch instead of starting one. */
  exportId?: ClipExportButton['exportId'] | undefined;
  /** Starts the download once when the export becomes ready. */
  autoDownload?: ClipExportButton['autoDownload'] | undefined;
  /** Name of the saved file. Default: the clip's name. */
  downloadName?: ClipExportButton['downloadName'] | undefined;
  /** The newest revision of the clip's edit, if the page knows it. A ready export of an older one stays, and the new version is offered beside it. A list sets it by itself. */
  revision?: ClipExportButton['revision'] | undefined;
  /** For a server's HTML: the page has yet to set options or listeners in the browser. A press is carried out once this is removed. */
  hydrating?: ClipExportButton['hydrating'] | undefined;
  /** The page's own backend. Default: that of the nearest `<clip-config>`, or of `configure()`. */
  endpoint?: ClipExportButton['endpoint'] | undefined;
  /** Credentials of the requests to the endpoint: `same-origin` (default) or `include`. */
  credentials?: ClipExportButton['credentials'] | undefined;
  /** Name of the header that carries `csrfToken`. Default: `X-CSRF-Token`. */
  csrfHeader?: ClipExportButton['csrfHeader'] | undefined;
  /** The page's CSRF token. */
  csrfToken?: ClipExportButton['csrfToken'] | undefined;
  /** Where a fresh CSRF token is fetched once if the host refuses the present one. */
  csrfUrl?: ClipExportButton['csrfUrl'] | undefined;
  /** Address of the site that answers with the session of its user, `{"session": "…"}`, or 401 if no user is signed in. With it, calls to the endpoint carry the session and no cookie. */
  session?: ClipExportButton['session'] | undefined;
  /** Returns the session, or null if no user is signed in; wins over the address. */
  getSession?: ClipExportButton['getSession'] | undefined;
}
export interface ClipExportButtonAttributes {
  /** The clip's project id. */
  project?: Attribute<ClipExportButton['project']>;
  /** Id of the clip's folder, if it has one. */
  folder?: Attribute<ClipExportButton['folder']>;
  /** Name of the clip: "Export: Harbour" is then the button's accessible name. */
  label?: Attribute<ClipExportButton['label']>;
  /** URL of the watermark's image. */
  'watermark-src'?: Attribute<ClipExportButton['watermarkSrc']>;
  /** Its horizontal position, 0 to 1. Default 0.5. */
  'watermark-x'?: Attribute<ClipExportButton['watermarkX']>;
  /** Its vertical position, 0 to 1. Default 0.5. */
  'watermark-y'?: Attribute<ClipExportButton['watermarkY']>;
  /** Its size factor. Default 1. */
  'watermark-scale'?: Attribute<ClipExportButton['watermarkScale']>;
  /** The watermark as an object, which is its attribute as JSON; wins over the four above. */
  watermark?: Attribute<ClipExportButton['watermark']>;
  /** Id of a styling preset. Cannot be combined with a watermark. */
  'preset-id'?: Attribute<ClipExportButton['presetId']>;
  /** Id of an existing export to watch instead of starting one. */
  'export-id'?: Attribute<ClipExportButton['exportId']>;
  /** Starts the download once when the export becomes ready. */
  'auto-download'?: Attribute<ClipExportButton['autoDownload']>;
  /** Name of the saved file. Default: the clip's name. */
  'download-name'?: Attribute<ClipExportButton['downloadName']>;
  /** The newest revision of the clip's edit, if the page knows it. A ready export of an older one stays, and the new version is offered beside it. A list sets it by itself. */
  revision?: Attribute<ClipExportButton['revision']>;
  /** For a server's HTML: the page has yet to set options or listeners in the browser. A press is carried out once this is removed. */
  hydrating?: Attribute<ClipExportButton['hydrating']>;
  /** The page's own backend. Default: that of the nearest `<clip-config>`, or of `configure()`. */
  endpoint?: Attribute<ClipExportButton['endpoint']>;
  /** Credentials of the requests to the endpoint: `same-origin` (default) or `include`. */
  credentials?: Attribute<ClipExportButton['credentials']>;
  /** Name of the header that carries `csrfToken`. Default: `X-CSRF-Token`. */
  'csrf-header'?: Attribute<ClipExportButton['csrfHeader']>;
  /** The page's CSRF token. */
  'csrf-token'?: Attribute<ClipExportButton['csrfToken']>;
  /** Where a fresh CSRF token is fetched once if the host refuses the present one. */
  'csrf-url'?: Attribute<ClipExportButton['csrfUrl']>;
  /** Address of the site that answers with the session of its user, `{"session": "…"}`, or 401 if no user is signed in. With it, calls to the endpoint carry the session and no cookie. */
  session?: Attribute<ClipExportButton['session']>;
}
export interface ClipExportButtonEvents {
  /** Before anything is sent; cancelable. */
  'clip-export-start': ClipExportStartEvent;
  /** The export has progressed. */
  'clip-export-progress': ClipExportProgressEvent;
  /** The file can be downloaded. */
  'clip-export-ready': ClipExportReadyEvent;
  /** The export failed, or its outcome is unknown. */
  'clip-export-error': ClipExportErrorEvent;
  /** No user is signed in; it goes on once one is. */
  'clip-signed-out': ClipSignedOutEvent;
}

/** `<clip-list>` */
export interface ClipListProperties {
  /** Id of the folder. */
  folder?: ClipList['folder'] | undefined;
  /** Id of a single clip, instead of a folder's; with `folder` if it is in one. */
  project?: ClipList['project'] | undefined;
  /** Id of the task that makes the clips: shows its progress, and clips as they come. */
  task?: ClipList['task'] | undefined;
  /** Accessible name of the list. */
  label?: ClipList['label'] | undefined;
  /** How many clips are shown at first, and how many more each time. */
  pageSize?: ClipList['pageSize'] | undefined;
  /** Level of the clips' headings, 2 to 6. */
  headingLevel?: ClipList['headingLevel'] | undefined;
  /** The page's own backend. Default: that of the nearest `<clip-config>`, or of `configure()`. */
  endpoint?: ClipList['endpoint'] | undefined;
  /** Base URL of the preview pages, or an address with `{id}`; `{lang}` in it is the page's language. Default: from the nearest `<clip-config>`, or `configure()`. */
  playerUrl?: ClipList['playerUrl'] | undefined;
  /** The message that the previews' pages post when they have loaded: a text, or the `type` of an object. If omitted, the frame's `load` event counts, and the message `clip-ready` of our own pages. */
  handshake?: ClipList['handshake'] | undefined;
  /** Credentials of the requests to the endpoint: `same-origin` (default) or `include`. */
  credentials?: ClipList['credentials'] | undefined;
  /** Name of the header that carries `csrfToken`. Default: `X-CSRF-Token`. */
  csrfHeader?: ClipList['csrfHeader'] | undefined;
  /** The page's CSRF token. */
  csrfToken?: ClipList['csrfToken'] | undefined;
  /** Where a fresh CSRF token is fetched once if the host refuses the present one. */
  csrfUrl?: ClipList['csrfUrl'] | undefined;
  /** Address of the site that answers with the session of its user, `{"session": "…"}`, or 401 if no user is signed in. With it, calls to the endpoint carry the session and no cookie. */
  session?: ClipList['session'] | undefined;
  /** Returns the session, or null if no user is signed in; wins over the address. */
  getSession?: ClipList['getSession'] | undefined;
}
export interface ClipListAttributes {
  /** Id of the folder. */
  folder?: Attribute<ClipList['folder']>;
  /** Id of a single clip, instead of a folder's; with `folder` if it is in one. */
  project?: Attribute<ClipList['project']>;
  /** Id of the task that makes the clips: shows its progress, and clips as they come. */
  task?: Attribute<ClipList['task']>;
  /** Accessible name of the list. */
  label?: Attribute<ClipList['label']>;
  /** How many clips are shown at first, and how many more each time. */
  'page-size'?: Attribute<ClipList['pageSize']>;
  /** Level of the clips' headings, 2 to 6. */
  'heading-level'?: Attribute<ClipList['headingLevel']>;
  /** The page's own backend. Default: that of the nearest `<clip-config>`, or of `configure()`. */
  endpoint?: Attribute<ClipList['endpoint']>;
  /** Base URL of the preview pages, or an address with `{id}`; `{lang}` in it is the page's language. Default: from the nearest `<clip-config>`, or `configure()`. */
  'player-url'?: Attribute<ClipList['playerUrl']>;
  /** The message that the previews' pages post when they have loaded: a text, or the `type` of an object. If omitted, the frame's `load` event counts, and the message `clip-ready` of our own pages. */
  handshake?: Attribute<ClipList['handshake']>;
  /** Credentials of the requests to the endpoint: `same-origin` (default) or `include`. */
  credentials?: Attribute<ClipList['credentials']>;
  /** Name of the header that carries `csrfToken`. Default: `X-CSRF-Token`. */
  'csrf-header'?: Attribute<ClipList['csrfHeader']>;
  /** The page's CSRF token. */
  'csrf-token'?: Attribute<ClipList['csrfToken']>;
  /** Where a fresh CSRF token is fetched once if the host refuses the present one. */
  'csrf-url'?: Attribute<ClipList['csrfUrl']>;
  /** Address of the site that answers with the session of its user, `{"session": "…"}`, or 401 if no user is signed in. With it, calls to the endpoint carry the session and no cookie. */
  session?: Attribute<ClipList['session']>;
}
export interface ClipListEvents {
  /** A clip is about to be shown; it may get options. */
  'clip-list-item': ClipListItemEvent;
  /** The clips were read, or have changed. */
  'clip-list-change': ClipListChangeEvent;
  /** The task has progressed. */
  'clip-list-progress': ClipListProgressEvent;
  /** The list is complete. */
  'clip-list-ready': ClipListReadyEvent;
  /** Clips or their task failed; `error` says why. */
  'clip-list-error': ClipListErrorEvent;
  /** No user is signed in; it goes on once one is. */
  'clip-signed-out': ClipSignedOutEvent;
}

/** `<clip-preview>` */
export interface ClipPreviewProperties {
  /** `lazy`: near the viewport. `eager`: at once. `click`: a poster with a play button first. */
  loading?: ClipPreview['loading'] | undefined;
  /** URL of the poster image: https, or http of localhost or this site; another one is left out. If it fails to load, it is tried again with growing pauses. Default: by `poster-url`. */
  poster?: ClipPreview['poster'] | undefined;
  /** Base URL of the preview pages; the page of a clip is at `/player/{id}`. If it contains `{id}`, it is the whole address; `{lang}` in it is the page's language. Default: from the nearest `<clip-config>`, or `configure()`. */
  playerUrl?: ClipPreview['playerUrl'] | undefined;
  /** Address of the posters, with `{project}` for the id; `{lang}` in it is the page's language. Default: from the nearest `<clip-config>`, or `configure()`. */
  posterUrl?: ClipPreview['posterUrl'] | undefined;
  /** The clip's project id. */
  project?: ClipPreview['project'] | undefined;
  /** The message that the framed page posts when it has loaded: a text, or the `type` of an object. If omitted, the frame's `load` event counts, and the message `clip-ready` of our own pages. */
  handshake?: ClipPreview['handshake'] | undefined;
  /** Accessible name of the frame. */
  label?: ClipPreview['label'] | undefined;
  /** Permissions policy of the frame. A feature without an origin is for the origin of the clip's page. A change loads the frame again. */
  allow?: ClipPreview['allow'] | undefined;
  /** Sandbox of the frame; none by default. A change loads the frame again. */
  sandbox?: ClipPreview['sandbox'] | undefined;
  /** Referrer policy of the frame. A change loads the frame again. */
  referrerPolicy?: ClipPreview['referrerPolicy'] | undefined;
  /** Milliseconds until the error `frame-timeout`, or `frame-blank` if there was a `load` event but no handshake. */
  timeout?: ClipPreview['timeout'] | undefined;
  /** Plays as soon as the frame has loaded: with sound where the browser allows it, otherwise muted. */
  autoplay?: ClipPreview['autoplay'] | undefined;
  /** Begins again at the end. */
  loop?: ClipPreview['loop'] | undefined;
  /** Plays within the page on phones. Without it they may open the clip in full screen. */
  playsInline?: ClipPreview['playsInline'] | undefined;
  /** Plays beside the others on the page: it neither pauses them nor is paused by them. */
  noExclusive?: ClipPreview['noExclusive'] | undefined;
  /** Width of the clip in pixels. With `height`, it sets the aspect ratio before the clip loads. */
  width?: ClipPreview['width'] | undefined;
  /** Height of the clip in pixels. */
  height?: ClipPreview['height'] | undefined;
  /** Seconds from the start. Can be set. */
  currentTime?: ClipPreview['currentTime'] | undefined;
  /** 0 to 1. Can be set. */
  volume?: ClipPreview['volume'] | undefined;
  /** Whether the sound is off. As in HTML, the attribute is only its value at the start. */
  muted?: ClipPreview['muted'] | undefined;
  /** 1 is the usual speed. Can be set. */
  playbackRate?: ClipPreview['playbackRate'] | undefined;
}
export interface ClipPreviewAttributes {
  /** `lazy`: near the viewport. `eager`: at once. `click`: a poster with a play button first. */
  loading?: Attribute<ClipPreview['loading']>;
  /** URL of the poster image: https, or http of localhost or this site; another one is left out. If it fails to load, it is tried again with growing pauses. Default: by `poster-url`. */
  poster?: Attribute<ClipPreview['poster']>;
  /** Base URL of the preview pages; the page of a clip is at `/player/{id}`. If it contains `{id}`, it is the whole address; `{lang}` in it is the page's language. Default: from the nearest `<clip-config>`, or `configure()`. */
  'player-url'?: Attribute<ClipPreview['playerUrl']>;
  /** Address of the posters, with `{project}` for the id; `{lang}` in it is the page's language. Default: from the nearest `<clip-config>`, or `configure()`. */
  'poster-url'?: Attribute<ClipPreview['posterUrl']>;
  /** The clip's project id. */
  project?: Attribute<ClipPreview['project']>;
  /** The message that the framed page posts when it has loaded: a text, or the `type` of an object. If omitted, the frame's `load` event counts, and the message `clip-ready` of our own pages. */
  handshake?: Attribute<ClipPreview['handshake']>;
  /** Accessible name of the frame. */
  label?: Attribute<ClipPreview['label']>;
  /** Permissions policy of the frame. A feature without an origin is for the origin of the clip's page. A change loads the frame again. */
  allow?: Attribute<ClipPreview['allow']>;
  /** Sandbox of the frame; none by default. A change loads the frame again. */
  sandbox?: Attribute<ClipPreview['sandbox']>;
  /** Referrer policy of the frame. A change loads the frame again. */
  referrerpolicy?: Attribute<ClipPreview['referrerPolicy']>;
  /** Milliseconds until the error `frame-timeout`, or `frame-blank` if there was a `load` event but no handshake. */
  timeout?: Attribute<ClipPreview['timeout']>;
  /** Plays as soon as the frame has loaded: with sound where the browser allows it, otherwise muted. */
  autoplay?: Attribute<ClipPreview['autoplay']>;
  /** Begins again at the end. */
  loop?: Attribute<ClipPreview['loop']>;
  /** Plays within the page on phones. Without it they may open the clip in full screen. */
  playsinline?: Attribute<ClipPreview['playsInline']>;
  /** Plays beside the others on the page: it neither pauses them nor is paused by them. */
  'no-exclusive'?: Attribute<ClipPreview['noExclusive']>;
  /** Width of the clip in pixels. With `height`, it sets the aspect ratio before the clip loads. */
  width?: Attribute<ClipPreview['width']>;
  /** Height of the clip in pixels. */
  height?: Attribute<ClipPreview['height']>;
  /** Whether the sound is off. As in HTML, the attribute is only its value at the start. */
  muted?: Attribute<ClipPreview['muted']>;
}
export interface ClipPreviewEvents {
  /** Somebody activated the preview. */
  'clip-preview-activate': ClipPreviewActivateEvent;
  /** The frame has loaded. */
  'clip-preview-ready': ClipPreviewReadyEvent;
  /** The preview failed; `error` says why. */
  'clip-preview-error': ClipPreviewErrorEvent;
  /** Playback begins. Like all media events, it does not bubble. */
  play: Event;
  /** The picture moves. */
  playing: Event;
  /** Playback is paused, or has reached the end. */
  pause: Event;
  /** Playback has reached the end. */
  ended: Event;
  /** `currentTime` has changed. */
  timeupdate: Event;
  /** `duration` has changed. */
  durationchange: Event;
  /** `volume` or `muted` has changed. */
  volumechange: Event;
  /** `playbackRate` has changed. */
  ratechange: Event;
  /** `currentTime` was set. */
  seeking: Event;
  /** The player is at the new time. */
  seeked: Event;
  /** The player waits for data. */
  waiting: Event;
  /** More of the clip has been loaded. */
  progress: Event;
  /** The player knows the clip. */
  loadedmetadata: Event;
  /** The player could not play the clip. */
  error: Event;
}

/** `<clip-videos>` */
export interface ClipVideosProperties {
  /** Id of the `<clip-list>` that shows the clips of the chosen video. */
  for?: ClipVideos['for'] | undefined;
  /** Id of the chosen video's task. With `for`, the newest one if omitted. */
  selected?: ClipVideos['selected'] | undefined;
  /** Accessible name of the list. */
  label?: ClipVideos['label'] | undefined;
  /** How many videos are shown at first, and how many more each time; at most 100. */
  pageSize?: ClipVideos['pageSize'] | undefined;
  /** The page's own backend. Default: that of the nearest `<clip-config>`, or of `configure()`. */
  endpoint?: ClipVideos['endpoint'] | undefined;
  /** Credentials of the requests to the endpoint: `same-origin` (default) or `include`. */
  credentials?: ClipVideos['credentials'] | undefined;
  /** Name of the header that carries `csrfToken`. Default: `X-CSRF-Token`. */
  csrfHeader?: ClipVideos['csrfHeader'] | undefined;
  /** The page's CSRF token. */
  csrfToken?: ClipVideos['csrfToken'] | undefined;
  /** Where a fresh CSRF token is fetched once if the host refuses the present one. */
  csrfUrl?: ClipVideos['csrfUrl'] | undefined;
  /** Address of the site that answers with the session of its user, `{"session": "…"}`, or 401 if no user is signed in. With it, calls to the endpoint carry the session and no cookie. */
  session?: ClipVideos['session'] | undefined;
  /** Returns the session, or null if no user is signed in; wins over the address. */
  getSession?: ClipVideos['getSession'] | undefined;
}
export interface ClipVideosAttributes {
  /** Id of the `<clip-list>` that shows the clips of the chosen video. */
  for?: Attribute<ClipVideos['for']>;
  /** Id of the chosen video's task. With `for`, the newest one if omitted. */
  selected?: Attribute<ClipVideos['selected']>;
  /** Accessible name of the list. */
  label?: Attribute<ClipVideos['label']>;
  /** How many videos are shown at first, and how many more each time; at most 100. */
  'page-size'?: Attribute<ClipVideos['pageSize']>;
  /** The page's own backend. Default: that of the nearest `<clip-config>`, or of `configure()`. */
  endpoint?: Attribute<ClipVideos['endpoint']>;
  /** Credentials of the requests to the endpoint: `same-origin` (default) or `include`. */
  credentials?: Attribute<ClipVideos['credentials']>;
  /** Name of the header that carries `csrfToken`. Default: `X-CSRF-Token`. */
  'csrf-header'?: Attribute<ClipVideos['csrfHeader']>;
  /** The page's CSRF token. */
  'csrf-token'?: Attribute<ClipVideos['csrfToken']>;
  /** Where a fresh CSRF token is fetched once if the host refuses the present one. */
  'csrf-url'?: Attribute<ClipVideos['csrfUrl']>;
  /** Address of the site that answers with the session of its user, `{"session": "…"}`, or 401 if no user is signed in. With it, calls to the endpoint carry the session and no cookie. */
  session?: Attribute<ClipVideos['session']>;
}
export interface ClipVideosEvents {
  /** A video was chosen; cancelable. */
  'clip-video': ClipVideoEvent;
  /** The videos were read, or have changed. */
  'clip-videos-change': ClipVideosChangeEvent;
  /** Reading or deleting failed; `error` says why. */
  'clip-videos-error': ClipVideosErrorEvent;
  /** No user is signed in; it goes on once one is. */
  'clip-signed-out': ClipSignedOutEvent;
}

/** All elements: class, properties, attributes and events. */
export interface ClipElements {
  'clip-config': {
    element: ClipConfig;
    properties: ClipConfigProperties;
    attributes: ClipConfigAttributes;
    events: ClipConfigEvents;
  };
  'clip-create': {
    element: ClipCreate;
    properties: ClipCreateProperties;
    attributes: ClipCreateAttributes;
    events: ClipCreateEvents;
  };
  'clip-embed': {
    element: ClipEmbed;
    properties: ClipEmbedProperties;
    attributes: ClipEmbedAttributes;
    events: ClipEmbedEvents;
  };
  'clip-export-button': {
    element: ClipExportButton;
    properties: ClipExportButtonProperties;
    attributes: ClipExportButtonAttributes;
    events: ClipExportButtonEvents;
  };
  'clip-list': {
    element: ClipList;
    properties: ClipListProperties;
    attributes: ClipListAttributes;
    events: ClipListEvents;
  };
  'clip-preview': {
    element: ClipPreview;
    properties: ClipPreviewProperties;
    attributes: ClipPreviewAttributes;
    events: ClipPreviewEvents;
  };
  'clip-videos': {
    element: ClipVideos;
    properties: ClipVideosProperties;
    attributes: ClipVideosAttributes;
    events: ClipVideosEvents;
  };
}

export type Tag = keyof ClipElements;

/** Attributes and properties of an element. What is both may also be a text. */
export type Settable<One extends Tag> = ClipElements[One]['attributes'] &
  Omit<ClipElements[One]['properties'], keyof ClipElements[One]['attributes']>;

/** Handlers of an element's events, whose names begin with the prefix. */
export type Handlers<One extends Tag, Prefix extends string> = {
  [Name in keyof ClipElements[One]['events'] & string as `${Prefix}${Name}`]?:
    ((event: ClipElements[One]['events'][Name]) => void) | undefined;
};
