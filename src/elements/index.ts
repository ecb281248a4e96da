export { ClipConfig } from './clip-config.ts';
export { ClipEmbed } from './clip-embed.ts';
export { ClipExportButton } from './clip-export-button.ts';
export { ClipPreview } from './clip-preview.ts';
