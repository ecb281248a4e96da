import 'clip-kit';
import { html, LitElement } from 'lit';

const watermark = { src_url: 'https://site.example/mark.png', pos_x: 0.9 };

class SiteApp extends LitElement {
  static override properties = { path: { state: true }, heard: { state: true } };
  declare path: string;
  declare heard: string;

  constructor() {
    super();
    this.path = location.pathname;
    this.heard = '';
    addEventListener('popstate', () => (this.path = location.pathname));
  }

  // In the page itself, where its styles are.
  protected override createRenderRoot() {
    return this;
  }

  #hear = ({ type }: Event) => (this.heard += ` ${type}`);

  #go(event: Event) {
    event.preventDefault();
    history.pushState(null, '', (event.currentTarget as HTMLAnchorElement).href);
    this.path = location.pathname;
    this.heard = '';
  }

  protected override updated() {
    // The types of the tags.
    const button = this.querySelector('clip-export-button');
    if (button) button.exportId = null;
  }

  protected override render() {
    if (this.path === '/clip') {
      return html`<clip-config endpoint="/clips" app-url="https://clips.example">
        <h1>The clip of today</h1>
        <clip-embed project="clip-1"></clip-embed>
        <clip-export-button
          project="clip-1"
          .watermark=${watermark}
          @clip-export-start=${this.#hear}
          @clip-export-ready=${this.#hear}
        ></clip-export-button>
        <output id="heard">${this.heard}</output>
        <a id="to-home" href="/" @click=${this.#go}>Home</a>
      </clip-config>`;
    }
    return html`<clip-preview
        project="clip-1"
        loading="click"
        player-url="https://clips.example"
      ></clip-preview>
      <a id="to-clip" href="/clip" @click=${this.#go}>The clip</a>`;
  }
}

customElements.define('site-app', SiteApp);
