/**
 * The elements in jsdom, which sites use for unit tests: no layout, no observers, no custom states.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs in a separate process, because the elements use the page's globals. */
const page = `
import { JSDOM } from 'jsdom';
const { window } = new JSDOM('<!doctype html><body></body>', { url: 'https://site.example/' });
for (const name of ['window', 'document', 'Document', 'location', 'HTMLElement', 'customElements', 'CSSStyleSheet', 'Event',
  'EventTarget', 'AbortController', 'AbortSignal', 'Node', 'ShadowRoot', 'addEventListener', 'localStorage', 'MutationObserver']) {
  Object.defineProperty(globalThis, name, { value: name === 'window' ? window : window[name], configurable: true });
}
const unhandled = [];
process.on('unhandledRejection', (error) => unhandled.push(String(error)));
await import('clip-kit');
const markup = (tag, more = '') =>
  '<' + tag + ' project="a" player-url="/p" app-url="/p" endpoint="/clips" ' + more + '></' + tag + '>';
document.body.innerHTML = markup('clip-preview') + markup('clip-preview', 'loading="click" poster="/a.jpg"') +
  markup('clip-embed', 'token="t"') + markup('clip-export-button') + '<clip-config></clip-config>';
await new Promise((resolve) => setTimeout(resolve));
const [lazy, click, embed, button] = document.body.children;
console.log(JSON.stringify({
  unhandled,
  lazy: lazy.shadowRoot.querySelector('iframe')?.src ?? lazy.status,
  click: click.shadowRoot.querySelector('button')?.getAttribute('aria-label'),
  embed: embed.status,
  button: button.shadowRoot.querySelector('button')?.textContent.trim(),
}));
process.exit();
`;

describe('in jsdom', () => {
  it('the elements are drawn and load at once, and nothing is thrown', () => {
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', page],
      { cwd: root, encoding: 'utf8' },
    );
    assert.equal(status, 0, stderr);
    const { embed, ...seen } = JSON.parse(stdout);
    assert.deepEqual(seen, {
      unhandled: [],
      lazy: 'https://site.example/p/player/a',
      click: 'Play: Clip preview',
      button: 'Export',
    });
    assert.match(embed, /^(authorizing|loading|ready)$/);
  });
});
