import { Component, signal } from '@angular/core';
import { RouterLink } from '@angular/router';
import { ClipConfig, ClipEmbed, ClipExportButton } from 'clip-kit/angular';

@Component({
  imports: [ClipConfig, ClipEmbed, ClipExportButton, RouterLink],
  template: `
    <clip-config endpoint="/clips" appUrl="https://clips.example">
      <h1>The clip of today</h1>
      <clip-embed project="clip-1" />
      <clip-export-button
        project="clip-1"
        [watermark]="watermark"
        (clip-export-start)="hear($event)"
        (clip-export-ready)="hear($event)"
      />
      <output id="heard">{{ heard() }}</output>
      <a id="to-home" routerLink="/">Home</a>
    </clip-config>
  `,
})
export class Clip {
  readonly watermark = { src_url: 'https://site.example/mark.png', pos_x: 0.9 };
  readonly heard = signal('');

  hear({ type }: Event) {
    this.heard.update((before) => `${before} ${type}`);
  }
}
