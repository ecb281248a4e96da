'use client';
// Written by `npm run manifest` from custom-elements.json.
export { ClipList } from '../clip-list.ts';
