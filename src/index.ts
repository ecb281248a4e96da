import './define/clip-config.ts';
import './define/clip-embed.ts';
import './define/clip-export-button.ts';
import './define/clip-preview.ts';

// The list is only loaded by the pages that have one.
export * from './elements/without-list.ts';
