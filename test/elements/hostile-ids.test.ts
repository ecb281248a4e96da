/** Ids that no path or request can carry: a named error at once, and nothing is sent. */
import { expect } from '@open-wc/testing';
import type { ClipError } from '../../src/client/clip-error.ts';
import '../../src/define/clip-create.ts';
import '../../src/define/clip-embed.ts';
import '../../src/define/clip-export-button.ts';
import '../../src/define/clip-list.ts';
import '../../src/define/clip-preview.ts';
import { newWorld, until } from '../support/browser-world.ts';

type Failing = HTMLElement & { error: ClipError | null; updateComplete: Promise<boolean> };

const ids = ['\ud800', 'a\udc00b', '.', '..'];
const cases: readonly [tag: string, attribute: string, code: string][] = [
  ['clip-preview', 'project', 'invalid-project'],
  ['clip-embed', 'project', 'invalid-project'],
  ['clip-export-button', 'project', 'invalid-project'],
  ['clip-export-button', 'folder', 'invalid-option'],
  ['clip-export-button', 'export-id', 'invalid-option'],
  ['clip-export-button', 'preset-id', 'invalid-option'],
  ['clip-list', 'project', 'invalid-project'],
  ['clip-list', 'folder', 'invalid-option'],
  ['clip-list', 'task', 'invalid-option'],
  ['clip-create', 'preset-id', 'invalid-option'],
];

describe('an id that cannot be one', () => {
  const uncaught: unknown[] = [];
  const note = (event: ErrorEvent | PromiseRejectionEvent): void => {
    event.preventDefault();
    uncaught.push('reason' in event ? event.reason : event.error);
  };
  before(() => {
    addEventListener('error', note);
    addEventListener('unhandledrejection', note);
  });
  after(() => {
    removeEventListener('error', note);
    removeEventListener('unhandledrejection', note);
  });

  for (const [tag, attribute, code] of cases) {
    for (const id of ids) {
      it(`<${tag} ${attribute}=${JSON.stringify(id)}> is ${code}`, async () => {
        const world = await newWorld();
        const element = document.createElement(tag) as Failing;
        const attributes = {
          endpoint: world.endpoint,
          'app-url': world.frames,
          'player-url': world.frames,
          folder: 'f',
          project: 'p',
          [attribute]: id,
        };
        if (tag === 'clip-list' && attribute !== 'project') attributes.project = '';
        for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
        document.body.append(element);
        await until(() => element.error || uncaught.length);
        expect(uncaught.splice(0).map(String)).to.eql([]);
        expect(element.error!.code).to.equal(code);
        await element.updateComplete;
        const root = element.shadowRoot!;
        expect(root.querySelector('.retry')).to.equal(null);
        expect(root.textContent).to.contain(element.error!.message);
        expect(await world.sent()).to.eql([]);
        element.remove();
      });
    }
  }
});
