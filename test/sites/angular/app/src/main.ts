import { provideZonelessChangeDetection } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import { provideRouter } from '@angular/router';
import { App } from './app/app';
import { Clip } from './app/clip';
import { Site } from './site';

const routes = [
  { path: '', component: App },
  { path: 'clip', component: Clip },
];

bootstrapApplication(Site, {
  providers: [provideZonelessChangeDetection(), provideRouter(routes)],
}).catch((error) => console.error(error));
