import { cpSync } from 'node:fs';

cpSync('node_modules/alpinejs/dist/cdn.min.js', 'public/alpine.js');
cpSync('node_modules/clip-kit/dist/cdn/clip-kit.js', 'public/clip-kit.js');
