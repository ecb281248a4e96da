import { Component } from '@angular/core';
import { RouterLink, RouterOutlet } from '@angular/router';

@Component({
  selector: 'site-root',
  imports: [RouterLink, RouterOutlet],
  template: `
    <nav><a routerLink="/">Home</a> <a routerLink="/clip">The clip</a></nav>
    <router-outlet />
  `,
})
export class Site {}
