/**
 * The floor: what somebody writes by hand who needs a poster with a play button that becomes a
 * frame, and nothing else. No settings, no checks, no texts, no states, no events.
 */
const sheet = new CSSStyleSheet();
sheet.replaceSync(`:host{display:block;position:relative;aspect-ratio:9/16;overflow:hidden;border-radius:1rem;background:#eee}
button{position:absolute;inset:0;width:100%;height:100%;border:0;padding:0;display:grid;place-content:center;background:none;cursor:pointer}
img{position:absolute;inset:0;width:100%;height:100%;object-fit:cover}
span{position:relative;display:grid;place-items:center;width:4rem;height:4rem;border-radius:50%;background:rgb(0 0 0/.62);color:#fff}
svg{width:1.75rem;fill:currentcolor}`);
const template = document.createElement('template');
template.innerHTML =
  '<button><img alt="" loading="lazy"><span><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M7 4.5v15l13-7.5z"/></svg></span></button>';

customElements.define(
  'vanilla-facade',
  class extends HTMLElement {
    connectedCallback() {
      if (this.shadowRoot) return;
      const root = this.attachShadow({ mode: 'open' });
      root.adoptedStyleSheets = [sheet];
      root.append(template.content.cloneNode(true));
      const button = root.firstElementChild;
      button.setAttribute('aria-label', `Play: ${this.getAttribute('label')}`);
      button.firstElementChild.src = this.getAttribute('poster');
      button.addEventListener('click', () => {
        const frame = document.createElement('iframe');
        frame.src = `${this.getAttribute('player-url')}/player/${this.getAttribute('project')}`;
        button.replaceWith(frame);
      });
    }
  },
);
