import vue from '@astrojs/vue';
import { defineConfig } from 'astro/config';

const isCustomElement = (tag) => tag.startsWith('clip-');

export default defineConfig({
  integrations: [vue({ template: { compilerOptions: { isCustomElement } } })],
});
