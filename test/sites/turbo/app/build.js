import { cpSync } from 'node:fs';

cpSync('node_modules/@hotwired/turbo/dist/turbo.es2017-esm.js', 'public/turbo.js');
cpSync('node_modules/clip-kit/dist/cdn/clip-studio.js', 'public/clip-studio.js');
