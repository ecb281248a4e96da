'use client';
// Written by `npm run manifest` from custom-elements.json.
export { ClipVideos } from '../clip-videos.ts';
