'use client';
// Written by `npm run manifest` from custom-elements.json.
export { ClipExportButton } from '../clip-export-button.ts';
