import { expect, fixture, html } from '@open-wc/testing';
import '../../src/cdn/clip-kit.ts';
import { configure } from '../../src/elements/settings/page-wide.ts';
import { parseConfig } from '../../src/upgrade/page-config.ts';
import { newWorld, reaches, until } from '../support/browser-world.ts';

/** A meta element in the head, as the template of a site writes it. */
function addMeta(content: string): HTMLMetaElement {
  const meta = Object.assign(document.createElement('meta'), { name: 'clip-config', content });
  document.head.append(meta);
  return meta;
}

const bases = (one: string): string => `player-url=/frames/${one}`;

const addressOf = (preview: Element): string | undefined =>
  preview.shadowRoot?.querySelector('iframe')?.src.replace(location.origin, '');

async function shows(preview: Element, path: string): Promise<void> {
  await until(() => addressOf(preview) === path, `${path}, not ${addressOf(preview)}`);
}

const addPreview = () => fixture(html`<clip-preview project="a" loading="eager"></clip-preview>`);

describe('<meta name="clip-config">', () => {
  afterEach(() => {
    for (const meta of document.querySelectorAll('meta[name="clip-config"]')) meta.remove();
    configure({ playerUrl: null });
  });

  it('sets what an element needs: an export starts once, without a wrapper', async () => {
    const world = await newWorld();
    addMeta(`endpoint=${world.endpoint}, player-url=${world.frames}`);
    const button = await fixture<HTMLElementTagNameMap['clip-export-button']>(
      html`<clip-export-button project="a"></clip-export-button>`,
    );
    button.shadowRoot!.querySelector('button')!.click();
    await reaches(button, 'ready');
    expect(await world.sent('start')).to.have.length(1);
  });

  it('comes after an attribute, <clip-config> and configure()', async () => {
    const box = await fixture(html`
      <div>
        <clip-config>
          <clip-preview project="a" loading="eager"></clip-preview>
        </clip-config>
      </div>
    `);
    const preview = box.querySelector('clip-preview')!;
    addMeta(bases('meta'));
    await shows(preview, '/frames/meta/player/a');
    configure({ playerUrl: '/frames/configured' });
    await shows(preview, '/frames/configured/player/a');
    box.querySelector('clip-config')!.playerUrl = '/frames/around';
    await shows(preview, '/frames/around/player/a');
    preview.playerUrl = '/frames/own';
    await shows(preview, '/frames/own/player/a');
  });

  it('works when it is inserted later, changed, and removed', async () => {
    const preview = (await addPreview()) as HTMLElementTagNameMap['clip-preview'];
    await reaches(preview, 'error');
    expect(preview.error!.code).to.equal('missing-player-url');
    const meta = addMeta(bases('one'));
    await shows(preview, '/frames/one/player/a');
    meta.content = bases('two');
    await shows(preview, '/frames/two/player/a');
    addMeta(bases('three'));
    await shows(preview, '/frames/three/player/a');
    for (const one of document.querySelectorAll('meta[name="clip-config"]')) one.remove();
    await until(() => preview.error?.code === 'missing-player-url');
  });

  it('with a mistake: an error that says what, and nothing is sent', async () => {
    const world = await newWorld();
    addMeta(`endpont=${world.endpoint}`);
    const button = await fixture<HTMLElementTagNameMap['clip-export-button']>(
      html`<clip-export-button project="a"></clip-export-button>`,
    );
    await reaches(button, 'error');
    expect(button.error!.code).to.equal('invalid-config');
    const says = 'there is no "endpont". There are: endpoint, ';
    expect(button.error!.message).to.include(says);
    await button.updateComplete;
    expect(button.shadowRoot!.querySelector('.retry')).to.equal(null);
    await button.retry();
    expect(button.error!.message).to.include(says);
    expect(await world.sent()).to.deep.equal([]);
  });

  it('costs no look at the page if something else changes in the head', async () => {
    const meta = addMeta(bases('one'));
    const preview = await addPreview();
    await shows(preview, '/frames/one/player/a');
    const { querySelectorAll } = Document.prototype;
    let looks = 0;
    Document.prototype.querySelectorAll = function (this: Document, selector: string) {
      looks++;
      return querySelectorAll.call(this, selector);
    } as typeof querySelectorAll;
    // Observers are called before the next task.
    const observed = () => new Promise((resolve) => setTimeout(resolve));
    const styles = [1, 2, 3].map(() => document.createElement('style'));
    try {
      for (const style of styles) {
        document.head.append(style);
        await observed();
      }
      document.documentElement.append(meta);
      document.head.append(meta);
      await observed();
      expect(looks).to.equal(0);
      meta.content = bases('two');
      await observed();
      expect(looks).to.be.greaterThan(0);
      await shows(preview, '/frames/two/player/a');
    } finally {
      Document.prototype.querySelectorAll = querySelectorAll;
      for (const style of styles) style.remove();
    }
  });

  it('is not read in the body, where the content of others may be', async () => {
    const preview = (await addPreview()) as HTMLElementTagNameMap['clip-preview'];
    document.body.append(addMeta(bases('body')));
    await reaches(preview, 'error');
    expect(preview.error!.code).to.equal('missing-player-url');
  });
});

describe('the content of <meta name="clip-config">', () => {
  it('is settings with commas between them, by the names of the attributes', () => {
    expect(
      parseConfig(' endpoint=/clips,app-url = https://a.example/?a=1,2 ,csrf-token=x=y==, '),
    ).to.deep.equal({
      endpoint: '/clips',
      appUrl: 'https://a.example/?a=1,2',
      csrfToken: 'x=y==',
    });
    expect(parseConfig('')).to.deep.equal({});
  });

  for (const [text, why] of [
    ['endpoint', /"endpoint" needs the form name=value/],
    ['endpoint=', /"endpoint" needs the form/],
    ['endpoint=/a app-url=/b', /"endpoint" needs the form/],
    ['endpoint: /clips', /needs the form/],
    ['watermark=x', /there is no "watermark"/],
    ['appUrl=/a', /there is no "appUrl"/],
  ] as const) {
    it(`"${text}" is refused`, () => expect(() => parseConfig(text)).to.throw(why));
  }
});
