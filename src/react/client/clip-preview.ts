'use client';
// Written by `npm run manifest` from custom-elements.json.
export { ClipPreview } from '../clip-preview.ts';
