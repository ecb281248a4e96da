/** A clip that is edited: each revision is paid for once, and no file is taken for another's. */
import { expect } from '@open-wc/testing';
import '../../src/define/clip-embed.ts';
import '../../src/define/clip-list.ts';
import { ClipEditEvent } from '../../src/elements/clip-embed/clip-embed.ts';
import {
  type BrowserWorld,
  newWorld,
  nextEvent,
  part,
  reaches,
  startUntil,
  until,
} from '../support/browser-world.ts';
import { mountedButtons, type ExportButton } from '../support/export-buttons.ts';

/** Edits the clip in this page. Each test has a clip of its own. */
async function edit(world: BrowserWorld, project: string, revision: number, saved = true) {
  await world.set({ revision });
  const embed = document.createElement('clip-embed');
  embed.project = project;
  document.body.append(embed);
  embed.dispatchEvent(new ClipEditEvent(embed, revision, saved));
  embed.remove();
}

const offer = (element: ExportButton) => part(element, '.again')?.textContent.trim();
const fast = { render: 0, estimate: 0, revision: 1 };

describe('an export button of a clip that is edited', () => {
  const { add, clear, started } = mountedButtons();
  let project = '';
  beforeEach(() => {
    project = `clip ${crypto.randomUUID()}`;
  });
  const starts = async (world: BrowserWorld) => (await world.sent('start')).length;
  const ready = async (world: BrowserWorld) => {
    const element = await add(world, { project });
    await startUntil(element, 'ready');
    return element;
  };

  it('keeps the ready file, and offers the new version beside it', async () => {
    const world = await newWorld(fast);
    const element = await ready(world);
    const { id, name } = element.export!;
    const address = element.downloadUrl;
    await edit(world, project, 2, false);
    await element.updateComplete;
    expect(offer(element)).to.equal(undefined);
    await edit(world, project, 2);
    await until(() => offer(element));
    expect(offer(element)).to.equal('Export the new version');
    expect([element.status, element.export!.id]).to.deep.equal(['ready', id]);
    expect(part(element, '.download')!.getAttribute('href')).to.equal(address);
    expect(part(element, '.download')!.getAttribute('download')).to.match(/^My_clip/);
    expect(name).to.equal('My clip, no. 1');
    expect(await starts(world)).to.equal(1);

    part(element, '.again')!.click();
    await until(() => element.status === 'ready' && element.export!.id !== id);
    expect(element.export!.revision).to.equal(2);
    expect(element.downloadUrl).not.to.equal(address);
    await element.updateComplete;
    expect(offer(element)).to.equal(undefined);
    await element.start();
    expect(await starts(world)).to.equal(2);
  });

  it('starts a new version only for the clip that was edited', async () => {
    const world = await newWorld(fast);
    const element = await ready(world);
    await edit(world, `${project} other`, 2);
    await element.updateComplete;
    expect(offer(element)).to.equal(undefined);
  });

  it('knows the newest revision that the page sets', async () => {
    const world = await newWorld(fast);
    const element = await ready(world);
    element.revision = 3;
    await until(() => offer(element));
    element.revision = 1;
    await element.updateComplete;
    expect(offer(element)).to.equal('Export the new version');
  });

  it('of a service without an editor has nothing to offer', async () => {
    const world = await newWorld({ ...fast, revision: null });
    const element = await ready(world);
    element.revision = 3;
    await element.updateComplete;
    expect(offer(element)).to.equal(undefined);
    await element.start();
    expect(await starts(world)).to.equal(1);
  });

  it('edited while the export runs: it ends as it is, and then the new version is offered', async () => {
    const { world, element } = await started({ ...fast, render: 60_000 }, 'processing', {
      project,
    });
    const { id } = element.export!;
    await edit(world, project, 2);
    await element.updateComplete;
    expect(offer(element)).to.equal(undefined);
    await element.start();
    await world.set({ render: 0 });
    await reaches(element, 'ready');
    expect([element.export!.id, element.export!.revision]).to.deep.equal([id, 1]);
    await until(() => offer(element));
    expect(await starts(world)).to.equal(1);
  });

  it('edited in another tab: all buttons of the clip move on together, with one start', async () => {
    const world = await newWorld(fast);
    const one = await ready(world);
    const two = await add(world, { project });
    await reaches(two, 'ready');
    await edit(world, project, 2);
    await until(() => offer(one) && offer(two));
    part(one, '.again')!.click();
    part(two, '.again')!.click();
    await until(() => [one, two].every(({ export: now }) => now?.revision === 2));
    await Promise.all([reaches(one, 'ready'), reaches(two, 'ready')]);
    expect(one.export!.id).to.equal(two.export!.id);
    expect(await starts(world)).to.equal(2);
  });

  it('a refused new version leaves the file of the older one, also after a reload', async () => {
    const world = await newWorld(fast);
    const element = await ready(world);
    const { id } = element.export!;
    await edit(world, project, 2);
    await until(() => offer(element));
    await world.set({ start: 'limit' });
    const readies: string[] = [];
    element.addEventListener('clip-export-ready', ({ export: one }) => readies.push(one.id));
    const failed = nextEvent(element, 'clip-export-error');
    part(element, '.again')!.click();
    expect((await failed).error.code).to.equal('export-limit');
    await element.updateComplete;
    expect([element.status, element.export!.id]).to.deep.equal(['ready', id]);
    expect(part(element, '.download')).not.to.equal(null);
    expect(part(element, '.retry')).to.equal(null);
    expect(part(element, 'status')!.textContent).to.contain('no more exports');
    expect(offer(element)).to.equal('Export the new version');
    expect(readies).to.deep.equal([]);
    await clear();
    const again = await add(world, { project });
    await reaches(again, 'ready');
    expect(again.export!.id).to.equal(id);
    await until(() => offer(again));
    await world.set({ start: 'ok' });
    await again.start();
    await until(() => again.status === 'ready' && again.export!.revision === 2);
    expect(await starts(world)).to.equal(3);
  });

  it('an export that is watched by its id stays', async () => {
    const world = await newWorld(fast);
    const { export: one } = await ready(world);
    const element = await add(world, { project, 'export-id': one!.id });
    await reaches(element, 'ready');
    await edit(world, project, 2);
    await element.updateComplete;
    expect(offer(element)).to.equal(undefined);
    await element.start();
    expect(await starts(world)).to.equal(1);
  });
});

describe('a list of clips that are edited', () => {
  afterEach(() => localStorage.clear());

  it('is read again at once, and its buttons offer the new version', async () => {
    const name = crypto.randomUUID();
    const world = await newWorld({ ...fast, clips: [name] });
    const list = document.createElement('clip-list');
    Object.assign(list, { folder: 'f', endpoint: world.endpoint, playerUrl: world.frames });
    document.body.append(list);
    await reaches(list, 'ready');
    const button = list.shadowRoot!.querySelector('clip-export-button')!;
    expect(button.revision).to.equal(1);
    await startUntil(button, 'ready');
    const reads = (await world.sent()).filter(({ path }) => path === '/projects').length;
    await edit(world, 'another clip', 2);
    await edit(world, `id-${name}`, 2);
    await until(() => button.revision === 2);
    await until(() => offer(button));
    expect(list.clips[0]!.revision).to.equal(2);
    expect(list.status).to.equal('ready');
    const after = (await world.sent()).filter(({ path }) => path === '/projects').length;
    expect(after).to.equal(reads + 1);
    list.remove();
  });

  it('a revision that a list has read is known to every button of the clip', async () => {
    const name = crypto.randomUUID();
    const world = await newWorld({ ...fast, clips: [name] });
    const button = document.createElement('clip-export-button');
    Object.assign(button, { project: `id-${name}`, folder: 'f', endpoint: world.endpoint });
    document.body.append(button);
    await startUntil(button, 'ready');
    // Edited in another tab: the list reads of it.
    await world.set({ revision: 2 });
    const list = document.createElement('clip-list');
    Object.assign(list, { folder: 'f', endpoint: world.endpoint, playerUrl: world.frames });
    document.body.append(list);
    await until(() => offer(button));
    list.remove();
    button.remove();
  });
});
