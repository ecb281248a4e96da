import { html } from 'lit';

/** Two pages, as those of a site. */
export default { title: 'Pages', tags: ['!autodocs'] };

const link = (story, text) =>
  html`<a href="/iframe.html?id=pages--${story}&viewMode=story">${text}</a>`;

export const Home = {
  render: () => html`
    <clip-preview project="clip-1" loading="click"></clip-preview>
    ${link('clip', 'The clip')}
  `,
};

const watermark = { src_url: 'https://site.example/mark.png', pos_x: 0.9 };
const showReady = () => (document.querySelector('output').textContent = 'Your clip is ready.');

export const Clip = {
  render: () => html`
    ${link('home', 'Home')}
    <clip-embed project="clip-1"></clip-embed>
    <clip-export-button
      project="clip-1"
      .watermark=${watermark}
      @clip-export-ready=${showReady}
    ></clip-export-button>
    <output></output>
    <clip-create></clip-create>
  `,
};
