import { expect, fixture, html } from '@open-wc/testing';
import { newWorld, reaches, type BrowserWorld, startUntil } from '../support/browser-world.ts';
import { load, singleFile, uncaught, type Kit } from '../support/loaded-kit.ts';

/** Two copies of the single file represent two versions of the kit: they share nothing. */
describe('two versions of the kit on a page', () => {
  let seen: ReturnType<typeof uncaught>;
  let first: Kit;
  let second: Kit;
  before(async () => {
    seen = uncaught();
    first = await load(singleFile('first'));
    second = await load(singleFile('second'));
    // The second one's button under its own name, for a page that needs both.
    customElements.define('second-export-button', class extends second.ClipExportButton {});
  });
  after(() => seen.end());
  afterEach(() => {
    first.configure({ endpoint: null });
    second.configure({ endpoint: null });
    localStorage.clear();
    expect(seen.thrown).to.deep.equal([]);
  });

  const add = async (tag: string, place: Element, endpoint: string | null = null) => {
    const button = document.createElement(tag) as InstanceType<Kit['ClipExportButton']>;
    button.project = 'a';
    button.endpoint = endpoint;
    place.append(button);
    await button.updateComplete;
    return button;
  };
  const box = () => fixture(html`<div></div>`);
  /** Each kit hears for itself who is signed in: a start may be sent twice, with one key. */
  const attempts = async (world: BrowserWorld) =>
    new Set((await world.sent('start')).map(({ key }) => key)).size;

  it('are two, of which the first defines the elements', () => {
    expect(first.ClipExportButton).to.not.equal(second.ClipExportButton);
    expect(customElements.get('clip-export-button')).to.equal(first.ClipExportButton);
    expect(customElements.get('clip-embed')).to.equal(first.ClipEmbed);
    expect(customElements.get('clip-preview')).to.equal(first.ClipPreview);
    expect(customElements.get('clip-config')).to.equal(first.ClipConfig);
  });

  it('start one export between them, whichever buttons are pressed at once', async () => {
    const world = await newWorld({ startDelay: 30 });
    const one = await add('clip-export-button', await box(), world.endpoint);
    const two = await add('second-export-button', await box(), world.endpoint);
    await Promise.all([one.start(), two.start()]);
    await Promise.all([reaches(one, 'ready'), reaches(two, 'ready')]);
    expect(one.export!.id).to.equal(two.export!.id);
    expect(await attempts(world)).to.equal(1);
  });

  it('take their settings from the same <clip-config>', async () => {
    const world = await newWorld();
    const config = await fixture(html`<clip-config endpoint=${world.endpoint}></clip-config>`);
    const one = await add('clip-export-button', config);
    const two = await add('second-export-button', config);
    await one.start();
    await two.start();
    await Promise.all([reaches(one, 'ready'), reaches(two, 'ready')]);
    expect(await attempts(world)).to.equal(1);
  });

  it('what is said to the second is heard by the elements, which are the first’s', async () => {
    const world = await newWorld();
    second.configure({ endpoint: world.endpoint });
    second.registerLocale('xx', { export: 'Xport' });
    const place = await box();
    place.setAttribute('lang', 'xx');
    const button = await add('clip-export-button', place);
    expect(button.shadowRoot!.querySelector('slot')!.textContent).to.equal('Xport');
    await startUntil(button, 'ready');
    expect(await attempts(world)).to.equal(1);
  });

  it('configure() of each is heard by its own elements', async () => {
    const world = await newWorld();
    first.configure({ endpoint: world.endpoint });
    second.configure({ endpoint: world.endpoint });
    for (const tag of ['clip-export-button', 'second-export-button']) {
      const button = await add(tag, await box());
      await startUntil(button, 'ready');
    }
    expect(await attempts(world)).to.equal(1);
  });
});
