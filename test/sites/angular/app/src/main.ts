import { provideZonelessChangeDetection } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import { provideRouter } from '@angular/router';
import { Clip } from './clip';
import { Home } from './home';
import { Root } from './root';

const routes = [
  { path: '', component: Home },
  { path: 'clip', component: Clip },
];

bootstrapApplication(Root, {
  providers: [provideZonelessChangeDetection(), provideRouter(routes)],
}).catch((error) => console.error(error));
