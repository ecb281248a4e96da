'use client';
// Written by `npm run manifest` from custom-elements.json.
export { ClipEmbed } from '../clip-embed.ts';
