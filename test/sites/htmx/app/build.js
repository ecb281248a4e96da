import { cpSync } from 'node:fs';

cpSync('node_modules/htmx.org/dist/htmx.min.js', 'public/htmx.js');
cpSync('node_modules/clip-kit/dist/cdn/clip-studio.js', 'public/clip-studio.js');
