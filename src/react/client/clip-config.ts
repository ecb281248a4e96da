'use client';
// Written by `npm run manifest` from custom-elements.json.
export { ClipConfig } from '../clip-config.ts';
