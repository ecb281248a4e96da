// Written by `npm run manifest` from custom-elements.json.

import type * as i0 from '@angular/core';
import type {
  ClipElements,
  ClipConfigAttributes,
  ClipConfigProperties,
  ClipCreateAttributes,
  ClipCreateProperties,
  ClipEmbedAttributes,
  ClipEmbedProperties,
  ClipExportButtonAttributes,
  ClipExportButtonProperties,
  ClipListAttributes,
  ClipListProperties,
  ClipPreviewAttributes,
  ClipPreviewProperties,
  ClipVideosAttributes,
  ClipVideosProperties,
} from '../types/elements.js';

/** Settings for the clip elements inside it. Draws nothing. */
export declare class ClipConfig {
  readonly element: ClipElements['clip-config']['element'];
  /** The page's own backend, which keeps the host contract. */
  endpoint: ClipConfigAttributes['endpoint'];
  /** Base URL of the embed pages, or an address with `{id}`; `{lang}` in it is the language. */
  appUrl: ClipConfigAttributes['app-url'];
  /** Base URL of the preview pages, or an address with `{id}`; `{lang}` in it is the language. */
  playerUrl: ClipConfigAttributes['player-url'];
  /** Address of the posters of all previews that have none of their own, with `{project}` for the id, such as `https://clips.example/player/{project}/poster.jpg`; `{lang}` is the language. */
  posterUrl: ClipConfigAttributes['poster-url'];
  /** Credentials of the requests to the endpoint: `same-origin` (default) or `include`. */
  credentials: ClipConfigAttributes['credentials'];
  /** Name of the header that carries `csrfToken`. Default: `X-CSRF-Token`. */
  csrfHeader: ClipConfigAttributes['csrf-header'];
  /** The page's CSRF token. */
  csrfToken: ClipConfigAttributes['csrf-token'];
  /** Where a fresh CSRF token is fetched once if the host refuses the present one. */
  csrfUrl: ClipConfigAttributes['csrf-url'];
  /** Address of the site that answers with the session of its user, `{"session": "…"}`, or 401 if no user is signed in. With it, calls to the endpoint carry the session and no cookie. */
  session: ClipConfigAttributes['session'];
  /** Returns the session, or null if no user is signed in; wins over the address. */
  getSession: ClipConfigProperties['getSession'];
  /** The message that the framed page posts when it has loaded: a text, or the `type` of an object. If omitted, the frame's `load` event counts, and the message `clip-ready` of our own pages. */
  handshake: ClipConfigAttributes['handshake'];

  static ɵfac: i0.ɵɵFactoryDeclaration<ClipConfig, never>;
  static ɵcmp: i0.ɵɵComponentDeclaration<
    ClipConfig,
    'clip-config',
    never,
    {
      endpoint: { alias: 'endpoint'; required: false };
      appUrl: { alias: 'appUrl'; required: false };
      playerUrl: { alias: 'playerUrl'; required: false };
      posterUrl: { alias: 'posterUrl'; required: false };
      credentials: { alias: 'credentials'; required: false };
      csrfHeader: { alias: 'csrfHeader'; required: false };
      csrfToken: { alias: 'csrfToken'; required: false };
      csrfUrl: { alias: 'csrfUrl'; required: false };
      session: { alias: 'session'; required: false };
      getSession: { alias: 'getSession'; required: false };
      handshake: { alias: 'handshake'; required: false };
    },
    {},
    never,
    ['*'],
    true,
    never
  >;
}

/** From a file or a link to clips: takes a video, sends it, and starts its task, once. */
export declare class ClipCreate {
  readonly element: ClipElements['clip-create']['element'];
  /** Id of the `<clip-videos>` that shows a new video at once. */
  for: ClipCreateAttributes['for'];
  /** Accessible name of the element. */
  label: ClipCreateAttributes['label'];
  /** Which options a person can choose, such as `count length style`; the others stay as they are set here. All by default; none if empty. */
  options: ClipCreateAttributes['options'];
  /** What is made: several clips, or one edited video. */
  kind: ClipCreateAttributes['kind'];
  /** At most so many clips. Default: the service decides. */
  count: ClipCreateAttributes['count'];
  /** About so many seconds for each clip. Default: the service decides. */
  length: ClipCreateAttributes['length'];
  /** The language that is spoken (BCP 47). Default: it is recognised. */
  language: ClipCreateAttributes['language'];
  /** The language that captions are translated to. Default: they are not. */
  translateTo: ClipCreateAttributes['translate-to'];
  /** Shape of the clips: `9:16` (default), `4:5`, `1:1` or `16:9`. */
  shape: ClipCreateAttributes['shape'];
  /** Without captions. */
  noCaptions: ClipCreateAttributes['no-captions'];
  /** Without emoji in the captions. */
  noEmojis: ClipCreateAttributes['no-emojis'];
  /** Without a title at the beginning. */
  noTitle: ClipCreateAttributes['no-title'];
  /** Cuts silences out. */
  removeSilences: ClipCreateAttributes['remove-silences'];
  /** Id of the style of captions and title. */
  presetId: ClipCreateAttributes['preset-id'];
  /** The styles to choose from. Default: those at `presetsUrl`. As an attribute: JSON. */
  presets: ClipCreateAttributes['presets'];
  /** Address of the list of styles, such as the service's `/presets`. */
  presetsUrl: ClipCreateAttributes['presets-url'];
  /** The largest file, in bytes. Default: the service says so before the first byte is sent. */
  maxBytes: ClipCreateAttributes['max-bytes'];
  /** The longest video, in seconds. Default: 5 hours, and 15 minutes for one edited video. */
  maxSeconds: ClipCreateAttributes['max-seconds'];
  /** The page's own backend. Default: that of the nearest `<clip-config>`, or of `configure()`. */
  endpoint: ClipCreateAttributes['endpoint'];
  /** Credentials of the requests to the endpoint: `same-origin` (default) or `include`. */
  credentials: ClipCreateAttributes['credentials'];
  /** Name of the header that carries `csrfToken`. Default: `X-CSRF-Token`. */
  csrfHeader: ClipCreateAttributes['csrf-header'];
  /** The page's CSRF token. */
  csrfToken: ClipCreateAttributes['csrf-token'];
  /** Where a fresh CSRF token is fetched once if the host refuses the present one. */
  csrfUrl: ClipCreateAttributes['csrf-url'];
  /** Address of the site that answers with the session of its user, `{"session": "…"}`, or 401 if no user is signed in. With it, calls to the endpoint carry the session and no cookie. */
  session: ClipCreateAttributes['session'];
  /** Returns the session, or null if no user is signed in; wins over the address. */
  getSession: ClipCreateProperties['getSession'];

  static ɵfac: i0.ɵɵFactoryDeclaration<ClipCreate, never>;
  static ɵcmp: i0.ɵɵComponentDeclaration<
    ClipCreate,
    'clip-create',
    never,
    {
      for: { alias: 'for'; required: false };
      label: { alias: 'label'; required: false };
      options: { alias: 'options'; required: false };
      kind: { alias: 'kind'; required: false };
      count: { alias: 'count'; required: false };
      length: { alias: 'length'; required: false };
      language: { alias: 'language'; required: false };
      translateTo: { alias: 'translateTo'; required: false };
      shape: { alias: 'shape'; required: false };
      noCaptions: { alias: 'noCaptions'; required: false };
      noEmojis: { alias: 'noEmojis'; required: false };
      noTitle: { alias: 'noTitle'; required: false };
      removeSilences: { alias: 'removeSilences'; required: false };
      presetId: { alias: 'presetId'; required: false };
      presets: { alias: 'presets'; required: false };
      presetsUrl: { alias: 'presetsUrl'; required: false };
      maxBytes: { alias: 'maxBytes'; required: false };
      maxSeconds: { alias: 'maxSeconds'; required: false };
      endpoint: { alias: 'endpoint'; required: false };
      credentials: { alias: 'credentials'; required: false };
      csrfHeader: { alias: 'csrfHeader'; required: false };
      csrfToken: { alias: 'csrfToken'; required: false };
      csrfUrl: { alias: 'csrfUrl'; required: false };
      session: { alias: 'session'; required: false };
      getSession: { alias: 'getSession'; required: false };
    },
    {},
    never,
    ['*'],
    true,
    never
  >;
}

/** The embed page of a clip. Its token is only in the frame's URL fragment. */
export declare class ClipEmbed {
  readonly element: ClipElements['clip-embed']['element'];
  /** `lazy`: gets a token and loads near the viewport. `eager`: at once. */
  loading: ClipEmbedAttributes['loading'];
  /** Opens the page with its editor, for tokens that may edit. A change loads the frame again. */
  edit: ClipEmbedAttributes['edit'];
  /** Returns the token; wins over `endpoint`. */
  getToken: ClipEmbedProperties['getToken'];
  /** `fragment`: passes a renewed token on without a reload. `none`: no renewal. */
  renew: ClipEmbedAttributes['renew'];
  /** Base URL of the embed pages; the page of a clip is at `/embed/{id}`. If it contains `{id}`, it is the whole address, such as `https://x.example/watch/{id}#jwt={token}`. `{lang}` in it is the page's language. Default as for `endpoint`. */
  appUrl: ClipEmbedAttributes['app-url'];
  /** The page's own backend. Default: that of the nearest `<clip-config>`, or of `configure()`. */
  endpoint: ClipEmbedAttributes['endpoint'];
  /** Credentials of the requests to the endpoint: `same-origin` (default) or `include`. */
  credentials: ClipEmbedAttributes['credentials'];
  /** Name of the header that carries `csrfToken`. Default: `X-CSRF-Token`. */
  csrfHeader: ClipEmbedAttributes['csrf-header'];
  /** The page's CSRF token. */
  csrfToken: ClipEmbedAttributes['csrf-token'];
  /** Where a fresh CSRF token is fetched once if the host refuses the present one. */
  csrfUrl: ClipEmbedAttributes['csrf-url'];
  /** Address of the site that answers with the session of its user, `{"session": "…"}`, or 401 if no user is signed in. With it, calls to the endpoint carry the session and no cookie. */
  session: ClipEmbedAttributes['session'];
  /** Returns the session, or null if no user is signed in; wins over the address. */
  getSession: ClipEmbedProperties['getSession'];
  /** A token that the page already has. Reads as null, and the attribute is emptied once read. */
  token: ClipEmbedAttributes['token'];
  /** The clip's project id. */
  project: ClipEmbedAttributes['project'];
  /** The message that the framed page posts when it has loaded: a text, or the `type` of an object. If omitted, the frame's `load` event counts, and the message `clip-ready` of our own pages. */
  handshake: ClipEmbedAttributes['handshake'];
  /** Accessible name of the frame. */
  label: ClipEmbedAttributes['label'];
  /** Permissions policy of the frame. A feature without an origin is for the origin of the clip's page. A change loads the frame again. */
  allow: ClipEmbedAttributes['allow'];
  /** Sandbox of the frame; none by default. A change loads the frame again. */
  sandbox: ClipEmbedAttributes['sandbox'];
  /** Referrer policy of the frame. A change loads the frame again. */
  referrerPolicy: ClipEmbedAttributes['referrerpolicy'];
  /** Milliseconds until the error `frame-timeout`, or `frame-blank` if there was a `load` event but no handshake. */
  timeout: ClipEmbedAttributes['timeout'];
  /** Plays as soon as the frame has loaded: with sound where the browser allows it, otherwise muted. */
  autoplay: ClipEmbedAttributes['autoplay'];
  /** Begins again at the end. */
  loop: ClipEmbedAttributes['loop'];
  /** Plays within the page on phones. Without it they may open the clip in full screen. */
  playsInline: ClipEmbedAttributes['playsinline'];
  /** Plays beside the others on the page: it neither pauses them nor is paused by them. */
  noExclusive: ClipEmbedAttributes['no-exclusive'];
  /** Width of the clip in pixels. With `height`, it sets the aspect ratio before the clip loads. */
  width: ClipEmbedAttributes['width'];
  /** Height of the clip in pixels. */
  height: ClipEmbedAttributes['height'];
  /** Seconds from the start. Can be set. */
  currentTime: ClipEmbedProperties['currentTime'];
  /** 0 to 1. Can be set. */
  volume: ClipEmbedProperties['volume'];
  /** Whether the sound is off. As in HTML, the attribute is only its value at the start. */
  muted: ClipEmbedAttributes['muted'];
  /** 1 is the usual speed. Can be set. */
  playbackRate: ClipEmbedProperties['playbackRate'];

  static ɵfac: i0.ɵɵFactoryDeclaration<ClipEmbed, never>;
  static ɵcmp: i0.ɵɵComponentDeclaration<
    ClipEmbed,
    'clip-embed',
    never,
    {
      loading: { alias: 'loading'; required: false };
      edit: { alias: 'edit'; required: false };
      getToken: { alias: 'getToken'; required: false };
      renew: { alias: 'renew'; required: false };
      appUrl: { alias: 'appUrl'; required: false };
      endpoint: { alias: 'endpoint'; required: false };
      credentials: { alias: 'credentials'; required: false };
      csrfHeader: { alias: 'csrfHeader'; required: false };
      csrfToken: { alias: 'csrfToken'; required: false };
      csrfUrl: { alias: 'csrfUrl'; required: false };
      session: { alias: 'session'; required: false };
      getSession: { alias: 'getSession'; required: false };
      token: { alias: 'token'; required: false };
      project: { alias: 'project'; required: false };
      handshake: { alias: 'handshake'; required: false };
      label: { alias: 'label'; required: false };
      allow: { alias: 'allow'; required: false };
      sandbox: { alias: 'sandbox'; required: false };
      referrerPolicy: { alias: 'referrerPolicy'; required: false };
      timeout: { alias: 'timeout'; required: false };
      autoplay: { alias: 'autoplay'; required: false };
      loop: { alias: 'loop'; required: false };
      playsInline: { alias: 'playsInline'; required: false };
      noExclusive: { alias: 'noExclusive'; required: false };
      width: { alias: 'width'; required: false };
      height: { alias: 'height'; required: false };
      currentTime: { alias: 'currentTime'; required: false };
      volume: { alias: 'volume'; required: false };
      muted: { alias: 'muted'; required: false };
      playbackRate: { alias: 'playbackRate'; required: false };
    },
    {},
    never,
    ['*'],
    true,
    never
  >;
}

/** Exports a clip and offers the file. One intent is started, and paid for, only once. */
export declare class ClipExportButton {
  readonly element: ClipElements['clip-export-button']['element'];
  /** The clip's project id. */
  project: ClipExportButtonAttributes['project'];
  /** Id of the clip's folder, if it has one. */
  folder: ClipExportButtonAttributes['folder'];
  /** Name of the clip: "Export: Harbour" is then the button's accessible name. */
  label: ClipExportButtonAttributes['label'];
  /** URL of the watermark's image. */
  watermarkSrc: ClipExportButtonAttributes['watermark-src'];
  /** Its horizontal position, 0 to 1. Default 0.5. */
  watermarkX: ClipExportButtonAttributes['watermark-x'];
  /** Its vertical position, 0 to 1. Default 0.5. */
  watermarkY: ClipExportButtonAttributes['watermark-y'];
  /** Its size factor. Default 1. */
  watermarkScale: ClipExportButtonAttributes['watermark-scale'];
  /** The watermark as an object, which is its attribute as JSON; wins over the four above. */
  watermark: ClipExportButtonAttributes['watermark'];
  /** Id of a styling preset. Cannot be combined with a watermark. */
  presetId: ClipExportButtonAttributes['preset-id'];
  /** Id of an existing export to watch instead of starting one. */
  exportId: ClipExportButtonAttributes['export-id'];
  /** Starts the download once when the export becomes ready. */
  autoDownload: ClipExportButtonAttributes['auto-download'];
  /** Name of the saved file. Default: the clip's name. */
  downloadName: ClipExportButtonAttributes['download-name'];
  /** The newest revision of the clip's edit, if the page knows it. A ready export of an older one stays, and the new version is offered beside it. A list sets it by itself. */
  revision: ClipExportButtonAttributes['revision'];
  /** For a server's HTML: the page has yet to set options or listeners in the browser. A press is carried out once this is removed. */
  hydrating: ClipExportButtonAttributes['hydrating'];
  /** The page's own backend. Default: that of the nearest `<clip-config>`, or of `configure()`. */
  endpoint: ClipExportButtonAttributes['endpoint'];
  /** Credentials of the requests to the endpoint: `same-origin` (default) or `include`. */
  credentials: ClipExportButtonAttributes['credentials'];
  /** Name of the header that carries `csrfToken`. Default: `X-CSRF-Token`. */
  csrfHeader: ClipExportButtonAttributes['csrf-header'];
  /** The page's CSRF token. */
  csrfToken: ClipExportButtonAttributes['csrf-token'];
  /** Where a fresh CSRF token is fetched once if the host refuses the present one. */
  csrfUrl: ClipExportButtonAttributes['csrf-url'];
  /** Address of the site that answers with the session of its user, `{"session": "…"}`, or 401 if no user is signed in. With it, calls to the endpoint carry the session and no cookie. */
  session: ClipExportButtonAttributes['session'];
  /** Returns the session, or null if no user is signed in; wins over the address. */
  getSession: ClipExportButtonProperties['getSession'];

  static ɵfac: i0.ɵɵFactoryDeclaration<ClipExportButton, never>;
  static ɵcmp: i0.ɵɵComponentDeclaration<
    ClipExportButton,
    'clip-export-button',
    never,
    {
      project: { alias: 'project'; required: false };
      folder: { alias: 'folder'; required: false };
      label: { alias: 'label'; required: false };
      watermarkSrc: { alias: 'watermarkSrc'; required: false };
      watermarkX: { alias: 'watermarkX'; required: false };
      watermarkY: { alias: 'watermarkY'; required: false };
      watermarkScale: { alias: 'watermarkScale'; required: false };
      watermark: { alias: 'watermark'; required: false };
      presetId: { alias: 'presetId'; required: false };
      exportId: { alias: 'exportId'; required: false };
      autoDownload: { alias: 'autoDownload'; required: false };
      downloadName: { alias: 'downloadName'; required: false };
      revision: { alias: 'revision'; required: false };
      hydrating: { alias: 'hydrating'; required: false };
      endpoint: { alias: 'endpoint'; required: false };
      credentials: { alias: 'credentials'; required: false };
      csrfHeader: { alias: 'csrfHeader'; required: false };
      csrfToken: { alias: 'csrfToken'; required: false };
      csrfUrl: { alias: 'csrfUrl'; required: false };
      session: { alias: 'session'; required: false };
      getSession: { alias: 'getSession'; required: false };
    },
    {},
    never,
    ['*'],
    true,
    never
  >;
}

/** All clips of a folder: preview, title, score and its reason, export. Live while their task runs. */
export declare class ClipList {
  readonly element: ClipElements['clip-list']['element'];
  /** Id of the folder. */
  folder: ClipListAttributes['folder'];
  /** Id of a single clip, instead of a folder's; with `folder` if it is in one. */
  project: ClipListAttributes['project'];
  /** Id of the task that makes the clips: shows its progress, and clips as they come. */
  task: ClipListAttributes['task'];
  /** Accessible name of the list. */
  label: ClipListAttributes['label'];
  /** How many clips are shown at first, and how many more each time. */
  pageSize: ClipListAttributes['page-size'];
  /** Level of the clips' headings, 2 to 6. */
  headingLevel: ClipListAttributes['heading-level'];
  /** The page's own backend. Default: that of the nearest `<clip-config>`, or of `configure()`. */
  endpoint: ClipListAttributes['endpoint'];
  /** Base URL of the preview pages, or an address with `{id}`; `{lang}` in it is the page's language. Default: from the nearest `<clip-config>`, or `configure()`. */
  playerUrl: ClipListAttributes['player-url'];
  /** The message that the previews' pages post when they have loaded: a text, or the `type` of an object. If omitted, the frame's `load` event counts, and the message `clip-ready` of our own pages. */
  handshake: ClipListAttributes['handshake'];
  /** Credentials of the requests to the endpoint: `same-origin` (default) or `include`. */
  credentials: ClipListAttributes['credentials'];
  /** Name of the header that carries `csrfToken`. Default: `X-CSRF-Token`. */
  csrfHeader: ClipListAttributes['csrf-header'];
  /** The page's CSRF token. */
  csrfToken: ClipListAttributes['csrf-token'];
  /** Where a fresh CSRF token is fetched once if the host refuses the present one. */
  csrfUrl: ClipListAttributes['csrf-url'];
  /** Address of the site that answers with the session of its user, `{"session": "…"}`, or 401 if no user is signed in. With it, calls to the endpoint carry the session and no cookie. */
  session: ClipListAttributes['session'];
  /** Returns the session, or null if no user is signed in; wins over the address. */
  getSession: ClipListProperties['getSession'];

  static ɵfac: i0.ɵɵFactoryDeclaration<ClipList, never>;
  static ɵcmp: i0.ɵɵComponentDeclaration<
    ClipList,
    'clip-list',
    never,
    {
      folder: { alias: 'folder'; required: false };
      project: { alias: 'project'; required: false };
      task: { alias: 'task'; required: false };
      label: { alias: 'label'; required: false };
      pageSize: { alias: 'pageSize'; required: false };
      headingLevel: { alias: 'headingLevel'; required: false };
      endpoint: { alias: 'endpoint'; required: false };
      playerUrl: { alias: 'playerUrl'; required: false };
      handshake: { alias: 'handshake'; required: false };
      credentials: { alias: 'credentials'; required: false };
      csrfHeader: { alias: 'csrfHeader'; required: false };
      csrfToken: { alias: 'csrfToken'; required: false };
      csrfUrl: { alias: 'csrfUrl'; required: false };
      session: { alias: 'session'; required: false };
      getSession: { alias: 'getSession'; required: false };
    },
    {},
    never,
    ['*'],
    true,
    never
  >;
}

/** A preview of a clip: the player page in a frame, or a poster that turns into it. */
export declare class ClipPreview {
  readonly element: ClipElements['clip-preview']['element'];
  /** `lazy`: near the viewport. `eager`: at once. `click`: a poster with a play button first. */
  loading: ClipPreviewAttributes['loading'];
  /** URL of the poster image: https, or http of localhost or this site; another one is left out. If it fails to load, it is tried again with growing pauses. Default: by `poster-url`. */
  poster: ClipPreviewAttributes['poster'];
  /** Base URL of the preview pages; the page of a clip is at `/player/{id}`. If it contains `{id}`, it is the whole address; `{lang}` in it is the page's language. Default: from the nearest `<clip-config>`, or `configure()`. */
  playerUrl: ClipPreviewAttributes['player-url'];
  /** Address of the posters, with `{project}` for the id; `{lang}` in it is the page's language. Default: from the nearest `<clip-config>`, or `configure()`. */
  posterUrl: ClipPreviewAttributes['poster-url'];
  /** The clip's project id. */
  project: ClipPreviewAttributes['project'];
  /** The message that the framed page posts when it has loaded: a text, or the `type` of an object. If omitted, the frame's `load` event counts, and the message `clip-ready` of our own pages. */
  handshake: ClipPreviewAttributes['handshake'];
  /** Accessible name of the frame. */
  label: ClipPreviewAttributes['label'];
  /** Permissions policy of the frame. A feature without an origin is for the origin of the clip's page. A change loads the frame again. */
  allow: ClipPreviewAttributes['allow'];
  /** Sandbox of the frame; none by default. A change loads the frame again. */
  sandbox: ClipPreviewAttributes['sandbox'];
  /** Referrer policy of the frame. A change loads the frame again. */
  referrerPolicy: ClipPreviewAttributes['referrerpolicy'];
  /** Milliseconds until the error `frame-timeout`, or `frame-blank` if there was a `load` event but no handshake. */
  timeout: ClipPreviewAttributes['timeout'];
  /** Plays as soon as the frame has loaded: with sound where the browser allows it, otherwise muted. */
  autoplay: ClipPreviewAttributes['autoplay'];
  /** Begins again at the end. */
  loop: ClipPreviewAttributes['loop'];
  /** Plays within the page on phones. Without it they may open the clip in full screen. */
  playsInline: ClipPreviewAttributes['playsinline'];
  /** Plays beside the others on the page: it neither pauses them nor is paused by them. */
  noExclusive: ClipPreviewAttributes['no-exclusive'];
  /** Width of the clip in pixels. With `height`, it sets the aspect ratio before the clip loads. */
  width: ClipPreviewAttributes['width'];
  /** Height of the clip in pixels. */
  height: ClipPreviewAttributes['height'];
  /** Seconds from the start. Can be set. */
  currentTime: ClipPreviewProperties['currentTime'];
  /** 0 to 1. Can be set. */
  volume: ClipPreviewProperties['volume'];
  /** Whether the sound is off. As in HTML, the attribute is only its value at the start. */
  muted: ClipPreviewAttributes['muted'];
  /** 1 is the usual speed. Can be set. */
  playbackRate: ClipPreviewProperties['playbackRate'];

  static ɵfac: i0.ɵɵFactoryDeclaration<ClipPreview, never>;
  static ɵcmp: i0.ɵɵComponentDeclaration<
    ClipPreview,
    'clip-preview',
    never,
    {
      loading: { alias: 'loading'; required: false };
      poster: { alias: 'poster'; required: false };
      playerUrl: { alias: 'playerUrl'; required: false };
      posterUrl: { alias: 'posterUrl'; required: false };
      project: { alias: 'project'; required: false };
      handshake: { alias: 'handshake'; required: false };
      label: { alias: 'label'; required: false };
      allow: { alias: 'allow'; required: false };
      sandbox: { alias: 'sandbox'; required: false };
      referrerPolicy: { alias: 'referrerPolicy'; required: false };
      timeout: { alias: 'timeout'; required: false };
      autoplay: { alias: 'autoplay'; required: false };
      loop: { alias: 'loop'; required: false };
      playsInline: { alias: 'playsInline'; required: false };
      noExclusive: { alias: 'noExclusive'; required: false };
      width: { alias: 'width'; required: false };
      height: { alias: 'height'; required: false };
      currentTime: { alias: 'currentTime'; required: false };
      volume: { alias: 'volume'; required: false };
      muted: { alias: 'muted'; required: false };
      playbackRate: { alias: 'playbackRate'; required: false };
    },
    {},
    never,
    ['*'],
    true,
    never
  >;
}

/** The user's videos, newest first, live. Choosing one shows its clips in a list. */
export declare class ClipVideos {
  readonly element: ClipElements['clip-videos']['element'];
  /** Id of the `<clip-list>` that shows the clips of the chosen video. */
  for: ClipVideosAttributes['for'];
  /** Id of the chosen video's task. With `for`, the newest one if omitted. */
  selected: ClipVideosAttributes['selected'];
  /** Accessible name of the list. */
  label: ClipVideosAttributes['label'];
  /** How many videos are shown at first, and how many more each time; at most 100. */
  pageSize: ClipVideosAttributes['page-size'];
  /** The page's own backend. Default: that of the nearest `<clip-config>`, or of `configure()`. */
  endpoint: ClipVideosAttributes['endpoint'];
  /** Credentials of the requests to the endpoint: `same-origin` (default) or `include`. */
  credentials: ClipVideosAttributes['credentials'];
  /** Name of the header that carries `csrfToken`. Default: `X-CSRF-Token`. */
  csrfHeader: ClipVideosAttributes['csrf-header'];
  /** The page's CSRF token. */
  csrfToken: ClipVideosAttributes['csrf-token'];
  /** Where a fresh CSRF token is fetched once if the host refuses the present one. */
  csrfUrl: ClipVideosAttributes['csrf-url'];
  /** Address of the site that answers with the session of its user, `{"session": "…"}`, or 401 if no user is signed in. With it, calls to the endpoint carry the session and no cookie. */
  session: ClipVideosAttributes['session'];
  /** Returns the session, or null if no user is signed in; wins over the address. */
  getSession: ClipVideosProperties['getSession'];

  static ɵfac: i0.ɵɵFactoryDeclaration<ClipVideos, never>;
  static ɵcmp: i0.ɵɵComponentDeclaration<
    ClipVideos,
    'clip-videos',
    never,
    {
      for: { alias: 'for'; required: false };
      selected: { alias: 'selected'; required: false };
      label: { alias: 'label'; required: false };
      pageSize: { alias: 'pageSize'; required: false };
      endpoint: { alias: 'endpoint'; required: false };
      credentials: { alias: 'credentials'; required: false };
      csrfHeader: { alias: 'csrfHeader'; required: false };
      csrfToken: { alias: 'csrfToken'; required: false };
      csrfUrl: { alias: 'csrfUrl'; required: false };
      session: { alias: 'session'; required: false };
      getSession: { alias: 'getSession'; required: false };
    },
    {},
    never,
    ['*'],
    true,
    never
  >;
}
