import { nodeServerAdapter } from '@builder.io/qwik-city/adapters/node-server/vite';
import { mergeConfig } from 'vite';
import base from './vite.config.ts';

export default mergeConfig(base, {
  build: { ssr: true, rollupOptions: { input: ['src/entry.server.tsx', '@qwik-city-plan'] } },
  plugins: [nodeServerAdapter({ name: 'node' })],
});
