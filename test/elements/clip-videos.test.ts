import { expect } from '@open-wc/testing';
import '../../src/define/clip-create.ts';
import '../../src/define/clip-list.ts';
import '../../src/define/clip-videos.ts';
import type { ClipCreate } from '../../src/define/clip-create.ts';
import type { ClipList } from '../../src/define/clip-list.ts';
import type { Task } from '../../src/contract/task.ts';
import {
  newElement,
  newWorld,
  nextEvent,
  part,
  parts,
  reaches,
  startUntil,
  until,
} from '../support/browser-world.ts';
import type { Behaviour } from '../support/page-behaviour.ts';
import { fileOf, soundOf } from '../support/chosen-files.ts';
import { findFaults } from '../support/axe.ts';
import { mainOfSuite } from '../support/suite-main.ts';

const names = (element: Element) => parts(element, 'title').map(({ textContent }) => textContent);

const ready: Partial<Task> = { status: 'ready', clip_count: 4, source_seconds: 754 };
const old = (id: string, minutes: number): Partial<Task> => ({
  ...ready,
  id,
  name: id,
  created_at: new Date(1_800_000_000_000 - minutes * 60_000).toISOString(),
});

describe('<clip-videos>', () => {
  const main = mainOfSuite();

  async function put(
    tasks: readonly Partial<Task>[],
    attributes: Readonly<Record<string, string>> = {},
    behaviour: Partial<Behaviour> = {},
  ) {
    const world = await newWorld(behaviour);
    await world.setTasks(tasks);
    const videos = newElement('clip-videos', { endpoint: world.endpoint, ...attributes });
    main.append(videos);
    return { world, videos };
  }

  it('shows name, length and number of clips, newest first', async () => {
    const { videos } = await put([old('Harbour', 1), old('Market', 2)]);
    await reaches(videos, 'ready');
    expect(names(videos)).to.deep.equal(['Harbour', 'Market']);
    expect(part(videos, 'status')!.textContent).to.equal('12 min 34 sec · Clips: 4');
  });

  it('has a name for a video without one, and says why one has failed', async () => {
    const failure = { code: 'source-unreachable', message: 'The source could not be fetched.' };
    const { videos } = await put([
      { status: 'error', failure, created_at: '2026-03-01T12:00:00Z' },
    ]);
    await reaches(videos, 'ready');
    expect(names(videos)).to.deep.equal(['Video of Mar 1, 2026']);
    expect(part(videos, 'status')!.textContent).to.equal('The source could not be fetched.');
  });

  it('is empty, and says so once', async () => {
    const counts: number[] = [];
    main.addEventListener('clip-videos-change', (event) => counts.push(event.videos.length));
    const { world, videos } = await put([]);
    await reaches(videos, 'ready');
    expect(videos.matches(':state(empty)')).to.equal(true);
    expect(part(videos, 'empty')!.textContent.trim()).to.equal('There are no videos yet.');
    videos.reload();
    await world.setTasks([old('Harbour', 1)]);
    videos.reload();
    await until(() => counts.length > 1);
    expect(counts).to.deep.equal([0, 1]);
  });

  it('shows more, page by page, and moves the focus to the first of them', async () => {
    const tasks = Array.from({ length: 5 }, (_, at) => old(`v${at}`, at));
    const { videos } = await put(tasks, { 'page-size': '2' });
    await reaches(videos, 'ready');
    expect(names(videos)).to.deep.equal(['v0', 'v1']);
    await videos.showMore();
    await videos.updateComplete;
    expect(names(videos)).to.deep.equal(['v0', 'v1', 'v2', 'v3']);
    expect(videos.shadowRoot!.activeElement!.textContent).to.include('v2');
    await videos.showMore();
    await videos.updateComplete;
    expect(names(videos)).to.deep.equal(['v0', 'v1', 'v2', 'v3', 'v4']);
    expect(part(videos, '.more')).to.equal(null);
  });

  for (const holds of [true, false]) {
    it(`is live while one is worked on, ${holds ? 'by one held request' : 'also if nothing holds'}`, async () => {
      const running = [{ ...old('a', 1), status: 'processing' as const }, old('b', 2)];
      const { world, videos } = await put(running, {}, { holds });
      await reaches(videos, 'ready');
      expect(part(videos, 'progress')).not.to.equal(null);
      await until(async () =>
        (await world.sent('GET', '/tasks')).some(({ prefer }) => prefer === 'wait=10'),
      );
      await world.setTasks([old('a', 1), old('b', 2)]);
      await until(() => !part(videos, 'progress'));
      const region = videos.shadowRoot!.querySelector('[role="status"]')!;
      expect(region.textContent.trim()).to.equal('a is ready.');
    });
  }

  it('says what a person waits for: the speech model, once, and the recognition', async () => {
    const at = (stage: string, more: object) => ({
      ...{ ...old('a', 1), status: 'processing' as const, source_seconds: 60 },
      progress: { stage, share: 0.4, seconds_left: null, ...more },
    });
    const download = { bytes: 40_900_000, total_bytes: 160_609_290 };
    const { world, videos } = await put([at('speech-model', download)]);
    await reaches(videos, 'ready');
    const details = () => part(videos, 'status')!.textContent;
    expect(details()).to.equal('1 min · Downloading the speech model, once: 40 of 161 MB');
    await world.setTasks([at('transcript', { stage_seconds_left: 230 })]);
    await until(() => details() === '1 min · Recognising speech, about 4 minutes left');
    await world.setTasks([at('candidates', {})]);
    await until(() => details() === '1 min · Making clips…');
  });

  it('asks nothing more when nothing is worked on, until the page comes back', async () => {
    const { world, videos } = await put([old('a', 1)]);
    await reaches(videos, 'ready');
    expect(await world.sent('GET', '/tasks')).to.have.length(1);
    await world.setTasks([old('b', 0), old('a', 1)]);
    dispatchEvent(new Event('online'));
    await until(() => names(videos).length === 2);
  });

  it('sets the list of clips: the newest, then the chosen one', async () => {
    const list = document.createElement('clip-list');
    list.id = 'clips';
    main.append(list);
    const { videos, world } = await put(
      [
        { ...old('a', 1), output_id: 'fa' },
        { ...old('b', 2), output_type: 'project', output_id: 'pb' },
      ],
      { for: 'clips' },
    );
    list.setAttribute('endpoint', world.endpoint);
    await reaches(videos, 'ready');
    expect([list.folder, list.project, list.task]).to.deep.equal(['fa', null, 'a']);
    const told = nextEvent(videos, 'clip-video');
    parts(videos, '.choose')[1]!.click();
    const { task, project } = await told;
    expect([task.id, project]).to.deep.equal(['b', 'pb']);
    expect([list.folder, list.project, list.task]).to.deep.equal([null, 'pb', 'b']);
    await videos.updateComplete;
    expect(parts(videos, '.choose')[1]!.getAttribute('aria-current')).to.equal('true');
    videos.addEventListener('clip-video', (event) => event.preventDefault());
    parts(videos, '.choose')[0]!.click();
    expect(list.task).to.equal('b');
  });

  it('leaves its list of clips without an error while there is no video', async () => {
    const { videos } = await put([], { for: 'clips' });
    // As plain markup has it: the id is around the element.
    const around = document.createElement('div');
    around.id = 'clips';
    const lists = [around, main].map((parent) => {
      const list = document.createElement('clip-list');
      list.setAttribute('endpoint', videos.endpoint!);
      parent.append(list);
      return list;
    });
    const [led, other] = lists as [ClipList, ClipList];
    const failed: (string | undefined)[] = [];
    for (const list of lists) {
      list.addEventListener('clip-list-error', ({ error }) => failed.push(error.code));
    }
    main.prepend(around);
    await reaches(videos, 'ready');
    await reaches(other, 'error');
    expect([led.status, led.error, led.shadowRoot!.querySelector('[role="alert"]')]).to.deep.equal([
      'idle',
      null,
      null,
    ]);
    expect(failed).to.deep.equal(['missing-folder']);
  });

  it('empties its list of clips when the last video is deleted', async () => {
    const { videos } = await put([{ ...old('a', 1), output_id: 'fa' }], { for: 'clips' });
    const list = document.createElement('clip-list');
    list.id = 'clips';
    list.setAttribute('endpoint', videos.endpoint!);
    main.append(list);
    await until(() => list.folder === 'fa');
    part(videos, '.delete')!.click();
    await videos.updateComplete;
    part(videos, '.confirm')!.click();
    await until(() => list.folder === null);
    await reaches(list, 'idle');
    expect(list.error).to.equal(null);
  });

  it('deletes after a question, and leaves the focus near', async () => {
    const { world, videos } = await put([old('a', 1), old('b', 2)]);
    await reaches(videos, 'ready');
    const focused = () =>
      videos.shadowRoot!.activeElement?.getAttribute('aria-label') ??
      videos.shadowRoot!.activeElement?.textContent.trim();
    part(videos, '.delete')!.click();
    await videos.updateComplete;
    expect(part(videos, '.question')!.textContent).to.include('Delete a and all its clips?');
    expect(focused()).to.equal('Keep');
    part(videos, '.keep')!.click();
    await videos.updateComplete;
    expect(focused()).to.equal('Delete a');
    expect(await world.sent('DELETE')).to.deep.equal([]);
    part(videos, '.delete')!.click();
    await videos.updateComplete;
    part(videos, '.confirm')!.click();
    await until(() => names(videos).length === 1);
    await until(() => focused()?.startsWith('b'));
    expect((await world.sent('DELETE')).map(({ path }) => path)).to.deep.equal(['/tasks/a']);
  });

  it('says if a video cannot be deleted', async () => {
    const { videos } = await put([old('a', 1)], {}, { refuseDelete: 409 });
    await reaches(videos, 'ready');
    part(videos, '.delete')!.click();
    await videos.updateComplete;
    const told = nextEvent(videos, 'clip-videos-error');
    part(videos, '.confirm')!.click();
    expect((await told).error.code).to.equal('task-not-deleted');
    expect(names(videos)).to.deep.equal(['a']);
  });

  it('shows what <clip-create for> has made at once, and chooses it', async () => {
    const { world, videos } = await put([old('a', 1)], { id: 'videos' });
    await reaches(videos, 'ready');
    const create = newElement('clip-create', { endpoint: world.endpoint, for: 'videos' });
    main.append(create);
    await create.choose([fileOf(1000, 'new.mp4')]);
    await startUntil(create, 'started');
    await until(() => names(videos)[0] === 'new');
    expect(videos.selected).to.equal(videos.videos[0]!.id);
    expect(part(create, '.started')!.textContent.trim()).to.equal('Your clips are being made.');
    await world.setTasks([{ ...videos.videos[0], ...ready }, old('a', 1)]);
    videos.reload();
    await until(() => part(videos, 'status')!.textContent.includes('Clips: 4'));
    await create.updateComplete;
    expect(part(create, '.started'), 'as before the clips are there').to.equal(null);
  });

  it('without an endpoint says so', async () => {
    const videos = document.createElement('clip-videos');
    main.append(videos);
    await reaches(videos, 'error');
    expect(videos.error!.code).to.equal('missing-endpoint');
  });

  describe('accessible, as <clip-create> is', () => {
    it('videos, one of them running, one being asked about', async () => {
      const { videos } = await put([{ ...old('a', 1), status: 'processing' }, old('b', 2)]);
      await reaches(videos, 'ready');
      parts(videos, '.delete')[1]!.click();
      await videos.updateComplete;
      expect(await findFaults(videos)).to.deep.equal([]);
    });

    const create = async (behaviour: Partial<Behaviour> = {}): Promise<ClipCreate> => {
      const world = await newWorld(behaviour);
      const element = document.createElement('clip-create');
      element.setAttribute('endpoint', world.endpoint);
      main.append(element);
      await element.updateComplete;
      part(element, 'options')!.setAttribute('open', '');
      return element;
    };

    it('nothing chosen', async () => {
      expect(await findFaults(await create())).to.deep.equal([]);
    });

    it('videos chosen, one of them too long', async () => {
      const element = await create();
      element.maxSeconds = 5;
      await element.choose([fileOf(1000), soundOf(6)]);
      await until(() => part(element, 'error'));
      expect(await findFaults(element)).to.deep.equal([]);
    });

    it('an upload that runs, and one that is refused', async () => {
      const element = await create({ isHeld: true });
      await element.choose([fileOf(1000)]);
      await element.start();
      await until(() => element.shadowRoot!.querySelector('[aria-valuenow]'));
      expect(await findFaults(element)).to.deep.equal([]);
      const other = await create({ start: 'limit' });
      await other.choose([fileOf(1000)]);
      await startUntil(other, 'limit');
      expect(await findFaults(other)).to.deep.equal([]);
    });
  });
});
