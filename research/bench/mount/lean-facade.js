/**
 * The lean floor: a button with an image and a symbol, one listener, one class. In the page's own
 * tree, without a shadow root, slots, or an attribute that is looked at twice.
 */
const sheet = new CSSStyleSheet();
sheet.replaceSync(`lean-facade{display:block;aspect-ratio:9/16}
.facade{position:relative;display:grid;place-content:center;width:100%;height:100%;border:0;border-radius:1rem;padding:0;overflow:hidden;background:#eee;cursor:pointer}
.facade img{position:absolute;inset:0;width:100%;height:100%;object-fit:cover}
.facade svg{position:relative;width:4rem;padding:1.125rem;border-radius:50%;background:rgb(0 0 0/.62);fill:#fff}`);
document.adoptedStyleSheets.push(sheet);
const template = document.createElement('template');
template.innerHTML =
  '<button class="facade"><img alt="" loading="lazy"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M7 4.5v15l13-7.5z"/></svg></button>';

function play({ currentTarget }) {
  const element = currentTarget.parentElement;
  const frame = document.createElement('iframe');
  frame.src = `${element.getAttribute('player-url')}/player/${element.getAttribute('project')}`;
  currentTarget.replaceWith(frame);
}

customElements.define(
  'lean-facade',
  class extends HTMLElement {
    connectedCallback() {
      if (this.firstChild) return;
      // In this document from the start: a copy of the template's own would be adopted from
      // another.
      const content = document.importNode(template.content, true);
      const button = content.firstElementChild;
      button.setAttribute('aria-label', `Play: ${this.getAttribute('label')}`);
      button.firstElementChild.src = this.getAttribute('poster');
      button.addEventListener('click', play);
      this.append(content);
    }
  },
);
