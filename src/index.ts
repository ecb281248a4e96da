import './define/clip-config.ts';
import './define/clip-embed.ts';
import './define/clip-export-button.ts';
import './define/clip-preview.ts';

export * from './elements/index.ts';
