// Written by `npm run manifest` from custom-elements.json.
export { ClipConfig } from './clip-config.ts';
export { ClipCreate } from './clip-create.ts';
export { ClipEmbed } from './clip-embed.ts';
export { ClipExportButton } from './clip-export-button.ts';
export { ClipList } from './clip-list.ts';
export { ClipPreview } from './clip-preview.ts';
export { ClipVideos } from './clip-videos.ts';
