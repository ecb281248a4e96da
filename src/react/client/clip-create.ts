'use client';
// Written by `npm run manifest` from custom-elements.json.
export { ClipCreate } from '../clip-create.ts';
