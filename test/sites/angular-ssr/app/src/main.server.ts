import { mergeApplicationConfig } from '@angular/core';
import { bootstrapApplication, type BootstrapContext } from '@angular/platform-browser';
import { provideServerRendering, RenderMode, withRoutes } from '@angular/ssr';
import { config } from './app.config';
import { Site } from './site';

const onServer = mergeApplicationConfig(config, {
  providers: [provideServerRendering(withRoutes([{ path: '**', renderMode: RenderMode.Server }]))],
});

export default (context: BootstrapContext) => bootstrapApplication(Site, onServer, context);
