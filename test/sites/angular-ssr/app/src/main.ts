import { bootstrapApplication } from '@angular/platform-browser';
import { config } from './app.config';
import { Site } from './site';

bootstrapApplication(Site, config).catch((error) => console.error(error));
