import 'clip-kit';
import 'clip-kit/clip-list';
import manifest from 'clip-kit/custom-elements.json';
import { configure } from 'clip-kit/elements';
import { setCustomElementsManifest } from '@storybook/web-components-vite';
import { html } from 'lit';

configure({
  endpoint: '/clips',
  playerUrl: 'https://clips.example',
  appUrl: 'https://clips.example',
});
// The tables of attributes, events, slots and parts.
setCustomElementsManifest(manifest);

export default {
  tags: ['autodocs'],
  decorators: [(story) => html`<div style="max-width: 16rem">${story()}</div>`],
};
