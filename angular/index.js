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
}

function forward(type, names) {
  for (const name of names) {
    Object.defineProperty(type.prototype, name, {
      get() {
        return this.element[name];
      },
      set(value) {
        this.element[name] = value;
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
      handshake: 'handshake',
    },
    template: '<ng-content />',
    isInline: true,
    changeDetection: i0.ChangeDetectionStrategy.OnPush,
    encapsulation: i0.ViewEncapsulation.None,
  });
}
forward(ClipConfig, [
  'endpoint',
  'appUrl',
  'playerUrl',
  'posterUrl',
  'credentials',
  'csrfHeader',
  'csrfToken',
  'csrfUrl',
  'handshake',
]);

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
    },
    template: '<ng-content />',
    isInline: true,
    changeDetection: i0.ChangeDetectionStrategy.OnPush,
    encapsulation: i0.ViewEncapsulation.None,
  });
}
forward(ClipCreate, [
  'for',
  'label',
  'options',
  'kind',
  'count',
  'length',
  'language',
  'translateTo',
  'shape',
  'noCaptions',
  'noEmojis',
  'noTitle',
  'removeSilences',
  'presetId',
  'presets',
  'presetsUrl',
  'maxBytes',
  'maxSeconds',
  'endpoint',
  'credentials',
  'csrfHeader',
  'csrfToken',
  'csrfUrl',
]);

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
forward(ClipEmbed, [
  'loading',
  'edit',
  'getToken',
  'renew',
  'appUrl',
  'endpoint',
  'credentials',
  'csrfHeader',
  'csrfToken',
  'csrfUrl',
  'token',
  'project',
  'handshake',
  'label',
  'allow',
  'sandbox',
  'referrerPolicy',
  'timeout',
  'autoplay',
  'loop',
  'playsInline',
  'noExclusive',
  'width',
  'height',
  'currentTime',
  'volume',
  'muted',
  'playbackRate',
]);

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
      endpoint: 'endpoint',
      credentials: 'credentials',
      csrfHeader: 'csrfHeader',
      csrfToken: 'csrfToken',
      csrfUrl: 'csrfUrl',
    },
    template: '<ng-content />',
    isInline: true,
    changeDetection: i0.ChangeDetectionStrategy.OnPush,
    encapsulation: i0.ViewEncapsulation.None,
  });
}
forward(ClipExportButton, [
  'project',
  'folder',
  'label',
  'watermarkSrc',
  'watermarkX',
  'watermarkY',
  'watermarkScale',
  'watermark',
  'presetId',
  'exportId',
  'autoDownload',
  'downloadName',
  'revision',
  'endpoint',
  'credentials',
  'csrfHeader',
  'csrfToken',
  'csrfUrl',
]);

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
    },
    template: '<ng-content />',
    isInline: true,
    changeDetection: i0.ChangeDetectionStrategy.OnPush,
    encapsulation: i0.ViewEncapsulation.None,
  });
}
forward(ClipList, [
  'folder',
  'project',
  'task',
  'label',
  'pageSize',
  'headingLevel',
  'endpoint',
  'playerUrl',
  'handshake',
  'credentials',
  'csrfHeader',
  'csrfToken',
  'csrfUrl',
]);

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
forward(ClipPreview, [
  'loading',
  'poster',
  'playerUrl',
  'posterUrl',
  'project',
  'handshake',
  'label',
  'allow',
  'sandbox',
  'referrerPolicy',
  'timeout',
  'autoplay',
  'loop',
  'playsInline',
  'noExclusive',
  'width',
  'height',
  'currentTime',
  'volume',
  'muted',
  'playbackRate',
]);

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
    },
    template: '<ng-content />',
    isInline: true,
    changeDetection: i0.ChangeDetectionStrategy.OnPush,
    encapsulation: i0.ViewEncapsulation.None,
  });
}
forward(ClipVideos, [
  'for',
  'selected',
  'label',
  'pageSize',
  'endpoint',
  'credentials',
  'csrfHeader',
  'csrfToken',
  'csrfUrl',
]);
