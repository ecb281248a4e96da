// Written by `npm run manifest` from custom-elements.json.

import * as i0 from '@angular/core';
import '../dist/define/clip-config.js';
import '../dist/define/clip-create.js';
import '../dist/define/clip-embed.js';
import '../dist/define/clip-export-button.js';
import '../dist/define/clip-list.js';
import '../dist/define/clip-preview.js';
import '../dist/define/clip-videos.js';

/** A component on an element of the kit: its inputs are the element's properties. */
class Wrapper {
  element = i0.inject(i0.ElementRef).nativeElement;
  isServer = i0.inject(i0.PLATFORM_ID) === 'server';

  /** Writes an attribute on the server, which is there until inputs and listeners are set. */
  wait(attribute) {
    const { element } = this;
    const mark = 'hydrating';
    if (this.isServer) {
      if (!element.hasAttribute(attribute)) element.setAttribute(attribute, mark);
      return;
    }
    i0.afterNextRender(() => {
      // Not that of the page.
      if (element.getAttribute(attribute) === mark) element.removeAttribute(attribute);
    });
  }

  /** Writes an input on the server, where no element is defined. */
  write(name, attribute, value) {
    if (value === null || value === undefined || value === false) {
      this.element.removeAttribute(attribute);
    } else {
      const isObject = name === 'watermark' && typeof value === 'object';
      this.element.setAttribute(
        attribute,
        value === true ? '' : isObject ? JSON.stringify(value) : value,
      );
    }
  }
}

/** Inputs by name, with the attribute that a server writes. */
function forward(type, inputs) {
  for (const [name, attribute] of Object.entries(inputs)) {
    Object.defineProperty(type.prototype, name, {
      get() {
        return this.element[name];
      },
      set(value) {
        if (!this.isServer) this.element[name] = value;
        else if (attribute) this.write(name, attribute, value);
      },
    });
  }
}

export class ClipConfig extends Wrapper {
  static ɵfac = i0.ɵɵngDeclareFactory({
    minVersion: '17.0.0',
    version: '17.0.0',
    ngImport: i0,
    type: ClipConfig,
    deps: [],
    target: i0.ɵɵFactoryTarget.Component,
  });
  static ɵcmp = i0.ɵɵngDeclareComponent({
    minVersion: '17.0.0',
    version: '17.0.0',
    ngImport: i0,
    type: ClipConfig,
    isStandalone: true,
    selector: 'clip-config',
    inputs: {
      endpoint: 'endpoint',
      appUrl: 'appUrl',
      playerUrl: 'playerUrl',
      posterUrl: 'posterUrl',
      credentials: 'credentials',
      csrfHeader: 'csrfHeader',
      csrfToken: 'csrfToken',
      csrfUrl: 'csrfUrl',
      session: 'session',
      getSession: 'getSession',
      handshake: 'handshake',
    },
    template: '<ng-content />',
    isInline: true,
    changeDetection: i0.ChangeDetectionStrategy.OnPush,
    encapsulation: i0.ViewEncapsulation.None,
  });
}
forward(ClipConfig, {
  endpoint: 'endpoint',
  appUrl: 'app-url',
  playerUrl: 'player-url',
  posterUrl: 'poster-url',
  credentials: 'credentials',
  csrfHeader: 'csrf-header',
  csrfToken: 'csrf-token',
  csrfUrl: 'csrf-url',
  session: 'session',
  getSession: null,
  handshake: 'handshake',
});

export class ClipCreate extends Wrapper {
  static ɵfac = i0.ɵɵngDeclareFactory({
    minVersion: '17.0.0',
    version: '17.0.0',
    ngImport: i0,
    type: ClipCreate,
    deps: [],
    target: i0.ɵɵFactoryTarget.Component,
  });
  static ɵcmp = i0.ɵɵngDeclareComponent({
    minVersion: '17.0.0',
    version: '17.0.0',
    ngImport: i0,
    type: ClipCreate,
    isStandalone: true,
    selector: 'clip-create',
    inputs: {
      for: 'for',
      label: 'label',
      options: 'options',
      kind: 'kind',
      count: 'count',
      length: 'length',
      language: 'language',
      translateTo: 'translateTo',
      shape: 'shape',
      noCaptions: 'noCaptions',
      noEmojis: 'noEmojis',
      noTitle: 'noTitle',
      removeSilences: 'removeSilences',
      presetId: 'presetId',
      presets: 'presets',
      presetsUrl: 'presetsUrl',
      maxBytes: 'maxBytes',
      maxSeconds: 'maxSeconds',
      endpoint: 'endpoint',
      credentials: 'credentials',
      csrfHeader: 'csrfHeader',
      csrfToken: 'csrfToken',
      csrfUrl: 'csrfUrl',
      session: 'session',
      getSession: 'getSession',
    },
    template: '<ng-content />',
    isInline: true,
    changeDetection: i0.ChangeDetectionStrategy.OnPush,
    encapsulation: i0.ViewEncapsulation.None,
  });
  waits = this.wait('inert');
}
forward(ClipCreate, {
  for: 'for',
  label: 'label',
  options: 'options',
  kind: 'kind',
  count: 'count',
  length: 'length',
  language: 'language',
  translateTo: 'translate-to',
  shape: 'shape',
  noCaptions: 'no-captions',
  noEmojis: 'no-emojis',
  noTitle: 'no-title',
  removeSilences: 'remove-silences',
  presetId: 'preset-id',
  presets: null,
  presetsUrl: 'presets-url',
  maxBytes: 'max-bytes',
  maxSeconds: 'max-seconds',
  endpoint: 'endpoint',
  credentials: 'credentials',
  csrfHeader: 'csrf-header',
  csrfToken: 'csrf-token',
  csrfUrl: 'csrf-url',
  session: 'session',
  getSession: null,
});

export class ClipEmbed extends Wrapper {
  static ɵfac = i0.ɵɵngDeclareFactory({
    minVersion: '17.0.0',
    version: '17.0.0',
    ngImport: i0,
    type: ClipEmbed,
    deps: [],
    target: i0.ɵɵFactoryTarget.Component,
  });
  static ɵcmp = i0.ɵɵngDeclareComponent({
    minVersion: '17.0.0',
    version: '17.0.0',
    ngImport: i0,
    type: ClipEmbed,
    isStandalone: true,
    selector: 'clip-embed',
    inputs: {
      loading: 'loading',
      edit: 'edit',
      getToken: 'getToken',
      renew: 'renew',
      appUrl: 'appUrl',
      endpoint: 'endpoint',
      credentials: 'credentials',
      csrfHeader: 'csrfHeader',
      csrfToken: 'csrfToken',
      csrfUrl: 'csrfUrl',
      session: 'session',
      getSession: 'getSession',
      token: 'token',
      project: 'project',
      handshake: 'handshake',
      label: 'label',
      allow: 'allow',
      sandbox: 'sandbox',
      referrerPolicy: 'referrerPolicy',
      timeout: 'timeout',
      autoplay: 'autoplay',
      loop: 'loop',
      playsInline: 'playsInline',
      noExclusive: 'noExclusive',
      width: 'width',
      height: 'height',
      currentTime: 'currentTime',
      volume: 'volume',
      muted: 'muted',
      playbackRate: 'playbackRate',
    },
    template: '<ng-content />',
    isInline: true,
    changeDetection: i0.ChangeDetectionStrategy.OnPush,
    encapsulation: i0.ViewEncapsulation.None,
  });
}
forward(ClipEmbed, {
  loading: 'loading',
  edit: 'edit',
  getToken: null,
  renew: 'renew',
  appUrl: 'app-url',
  endpoint: 'endpoint',
  credentials: 'credentials',
  csrfHeader: 'csrf-header',
  csrfToken: 'csrf-token',
  csrfUrl: 'csrf-url',
  session: 'session',
  getSession: null,
  token: null,
  project: 'project',
  handshake: 'handshake',
  label: 'label',
  allow: 'allow',
  sandbox: 'sandbox',
  referrerPolicy: 'referrerpolicy',
  timeout: 'timeout',
  autoplay: 'autoplay',
  loop: 'loop',
  playsInline: 'playsinline',
  noExclusive: 'no-exclusive',
  width: 'width',
  height: 'height',
  currentTime: null,
  volume: null,
  muted: 'muted',
  playbackRate: null,
});

export class ClipExportButton extends Wrapper {
  static ɵfac = i0.ɵɵngDeclareFactory({
    minVersion: '17.0.0',
    version: '17.0.0',
    ngImport: i0,
    type: ClipExportButton,
    deps: [],
    target: i0.ɵɵFactoryTarget.Component,
  });
  static ɵcmp = i0.ɵɵngDeclareComponent({
    minVersion: '17.0.0',
    version: '17.0.0',
    ngImport: i0,
    type: ClipExportButton,
    isStandalone: true,
    selector: 'clip-export-button',
    inputs: {
      project: 'project',
      folder: 'folder',
      label: 'label',
      watermarkSrc: 'watermarkSrc',
      watermarkX: 'watermarkX',
      watermarkY: 'watermarkY',
      watermarkScale: 'watermarkScale',
      watermark: 'watermark',
      presetId: 'presetId',
      exportId: 'exportId',
      autoDownload: 'autoDownload',
      downloadName: 'downloadName',
      revision: 'revision',
      hydrating: 'hydrating',
      endpoint: 'endpoint',
      credentials: 'credentials',
      csrfHeader: 'csrfHeader',
      csrfToken: 'csrfToken',
      csrfUrl: 'csrfUrl',
      session: 'session',
      getSession: 'getSession',
    },
    template: '<ng-content />',
    isInline: true,
    changeDetection: i0.ChangeDetectionStrategy.OnPush,
    encapsulation: i0.ViewEncapsulation.None,
  });
  waits = this.wait('hydrating');
}
forward(ClipExportButton, {
  project: 'project',
  folder: 'folder',
  label: 'label',
  watermarkSrc: 'watermark-src',
  watermarkX: 'watermark-x',
  watermarkY: 'watermark-y',
  watermarkScale: 'watermark-scale',
  watermark: 'watermark',
  presetId: 'preset-id',
  exportId: 'export-id',
  autoDownload: 'auto-download',
  downloadName: 'download-name',
  revision: 'revision',
  hydrating: 'hydrating',
  endpoint: 'endpoint',
  credentials: 'credentials',
  csrfHeader: 'csrf-header',
  csrfToken: 'csrf-token',
  csrfUrl: 'csrf-url',
  session: 'session',
  getSession: null,
});

export class ClipList extends Wrapper {
  static ɵfac = i0.ɵɵngDeclareFactory({
    minVersion: '17.0.0',
    version: '17.0.0',
    ngImport: i0,
    type: ClipList,
    deps: [],
    target: i0.ɵɵFactoryTarget.Component,
  });
  static ɵcmp = i0.ɵɵngDeclareComponent({
    minVersion: '17.0.0',
    version: '17.0.0',
    ngImport: i0,
    type: ClipList,
    isStandalone: true,
    selector: 'clip-list',
    inputs: {
      folder: 'folder',
      project: 'project',
      task: 'task',
      label: 'label',
      pageSize: 'pageSize',
      headingLevel: 'headingLevel',
      endpoint: 'endpoint',
      playerUrl: 'playerUrl',
      handshake: 'handshake',
      credentials: 'credentials',
      csrfHeader: 'csrfHeader',
      csrfToken: 'csrfToken',
      csrfUrl: 'csrfUrl',
      session: 'session',
      getSession: 'getSession',
    },
    template: '<ng-content />',
    isInline: true,
    changeDetection: i0.ChangeDetectionStrategy.OnPush,
    encapsulation: i0.ViewEncapsulation.None,
  });
  waits = this.wait('inert');
}
forward(ClipList, {
  folder: 'folder',
  project: 'project',
  task: 'task',
  label: 'label',
  pageSize: 'page-size',
  headingLevel: 'heading-level',
  endpoint: 'endpoint',
  playerUrl: 'player-url',
  handshake: 'handshake',
  credentials: 'credentials',
  csrfHeader: 'csrf-header',
  csrfToken: 'csrf-token',
  csrfUrl: 'csrf-url',
  session: 'session',
  getSession: null,
});

export class ClipPreview extends Wrapper {
  static ɵfac = i0.ɵɵngDeclareFactory({
    minVersion: '17.0.0',
    version: '17.0.0',
    ngImport: i0,
    type: ClipPreview,
    deps: [],
    target: i0.ɵɵFactoryTarget.Component,
  });
  static ɵcmp = i0.ɵɵngDeclareComponent({
    minVersion: '17.0.0',
    version: '17.0.0',
    ngImport: i0,
    type: ClipPreview,
    isStandalone: true,
    selector: 'clip-preview',
    inputs: {
      loading: 'loading',
      poster: 'poster',
      playerUrl: 'playerUrl',
      posterUrl: 'posterUrl',
      project: 'project',
      handshake: 'handshake',
      label: 'label',
      allow: 'allow',
      sandbox: 'sandbox',
      referrerPolicy: 'referrerPolicy',
      timeout: 'timeout',
      autoplay: 'autoplay',
      loop: 'loop',
      playsInline: 'playsInline',
      noExclusive: 'noExclusive',
      width: 'width',
      height: 'height',
      currentTime: 'currentTime',
      volume: 'volume',
      muted: 'muted',
      playbackRate: 'playbackRate',
    },
    template: '<ng-content />',
    isInline: true,
    changeDetection: i0.ChangeDetectionStrategy.OnPush,
    encapsulation: i0.ViewEncapsulation.None,
  });
}
forward(ClipPreview, {
  loading: 'loading',
  poster: 'poster',
  playerUrl: 'player-url',
  posterUrl: 'poster-url',
  project: 'project',
  handshake: 'handshake',
  label: 'label',
  allow: 'allow',
  sandbox: 'sandbox',
  referrerPolicy: 'referrerpolicy',
  timeout: 'timeout',
  autoplay: 'autoplay',
  loop: 'loop',
  playsInline: 'playsinline',
  noExclusive: 'no-exclusive',
  width: 'width',
  height: 'height',
  currentTime: null,
  volume: null,
  muted: 'muted',
  playbackRate: null,
});

export class ClipVideos extends Wrapper {
  static ɵfac = i0.ɵɵngDeclareFactory({
    minVersion: '17.0.0',
    version: '17.0.0',
    ngImport: i0,
    type: ClipVideos,
    deps: [],
    target: i0.ɵɵFactoryTarget.Component,
  });
  static ɵcmp = i0.ɵɵngDeclareComponent({
    minVersion: '17.0.0',
    version: '17.0.0',
    ngImport: i0,
    type: ClipVideos,
    isStandalone: true,
    selector: 'clip-videos',
    inputs: {
      for: 'for',
      selected: 'selected',
      label: 'label',
      pageSize: 'pageSize',
      endpoint: 'endpoint',
      credentials: 'credentials',
      csrfHeader: 'csrfHeader',
      csrfToken: 'csrfToken',
      csrfUrl: 'csrfUrl',
      session: 'session',
      getSession: 'getSession',
    },
    template: '<ng-content />',
    isInline: true,
    changeDetection: i0.ChangeDetectionStrategy.OnPush,
    encapsulation: i0.ViewEncapsulation.None,
  });
}
forward(ClipVideos, {
  for: 'for',
  selected: 'selected',
  label: 'label',
  pageSize: 'page-size',
  endpoint: 'endpoint',
  credentials: 'credentials',
  csrfHeader: 'csrf-header',
  csrfToken: 'csrf-token',
  csrfUrl: 'csrf-url',
  session: 'session',
  getSession: null,
});
