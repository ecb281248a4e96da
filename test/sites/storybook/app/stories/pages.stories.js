import { html } from 'lit';

/** Two pages, as those of a site. */
export default { title: 'Pages', tags: ['!autodocs'] };

const link = (id, story, text) =>
  html`<a id=${id} href="/iframe.html?id=pages--${story}&viewMode=story">${text}</a>`;

export const Home = {
  render: () => html`
    <clip-preview project="clip-1" loading="click"></clip-preview>
    ${link('to-clip', 'clip', 'The clip')}
  `,
};

const watermark = { src_url: 'https://site.example/mark.png', pos_x: 0.9 };
const hear = ({ type }) => (document.querySelector('#heard').textContent += ` ${type}`);

export const Clip = {
  render: () => html`
    ${link('to-home', 'home', 'Home')}
    <clip-embed project="clip-1"></clip-embed>
    <clip-export-button
      project="clip-1"
      .watermark=${watermark}
      @clip-export-start=${hear}
      @clip-export-ready=${hear}
    ></clip-export-button>
    <output id="heard"></output>
  `,
};
