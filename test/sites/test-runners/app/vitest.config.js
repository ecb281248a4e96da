import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globals: true,
    environment: 'jsdom', // or 'happy-dom'
    // Only for happy-dom, which otherwise fetches the pages of frames.
    environmentOptions: { happyDOM: { settings: { disableIframePageLoading: true } } },
    include: ['show-clip.test.js'],
  },
});
