import { createApp, createSSRApp, nextTick } from 'vue';
import { Page } from './vue-page.js';

/** Resolves when Vue has hydrated the elements. */
export const hydrate = async (root, props) => {
  createSSRApp(Page, props).mount(root);
  await nextTick();
};

export const draw = async (root, props) => {
  createApp(Page, props).mount(root);
  await nextTick();
};
