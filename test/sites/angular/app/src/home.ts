import { Component } from '@angular/core';
import { RouterLink } from '@angular/router';
import { ClipPreview } from 'clip-kit/angular';

@Component({
  imports: [ClipPreview, RouterLink],
  template: `
    <clip-preview project="clip-1" [loading]="'click'" playerUrl="https://clips.example" />
    <a id="to-clip" routerLink="/clip">The clip</a>
  `,
})
export class Home {}
