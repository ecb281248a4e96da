import { createApp, createSSRApp, nextTick } from 'vue';
import { Page } from './vue-page.js';

/** Resolves when Vue has hydrated the elements. */
export async function hydrate(root, props) {
  createSSRApp(Page, props).mount(root);
  await nextTick();
}

export async function draw(root, props) {
  createApp(Page, props).mount(root);
  await nextTick();
}
