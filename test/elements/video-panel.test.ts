import { expect } from '@open-wc/testing';
import '../../src/define/clip-list.ts';
import '../../src/define/clip-videos.ts';
import type { ClipVideos } from '../../src/define/clip-videos.ts';
import type { Task } from '../../src/contract/task.ts';
import { newElement, newWorld, part, parts, until } from '../support/browser-world.ts';
import type { Behaviour } from '../support/page-behaviour.ts';
import { findFaults } from '../support/axe.ts';
import { mainOfSuite } from '../support/suite-main.ts';

const fault = (element: Element) => part(element, '.words')?.querySelector('.fault')?.textContent;

const isWorkedOn = ({ videos: [video] }: ClipVideos) => video!.status === 'processing';

const notes = [{ code: 'no-words', message: 'No subtitles or speech were found.' }];
const video = (id: string, minutes: number, more: Partial<Task> = {}): Partial<Task> => ({
  ...{ id, name: id, status: 'ready', clip_count: 4, notes },
  created_at: new Date(1_800_000_000_000 - minutes * 60_000).toISOString(),
  ...more,
});
const subtitles = () =>
  new File(['1\n00:00:00,000 --> 00:00:02,000\nHello\n'], 'talk.srt', { type: 'text/plain' });

describe('what stands below a video', () => {
  const main = mainOfSuite();

  async function put(tasks: readonly Partial<Task>[], behaviour: Partial<Behaviour> = {}) {
    const world = await newWorld(behaviour);
    await world.setTasks(tasks);
    const videos = document.createElement('clip-videos');
    videos.setAttribute('endpoint', world.endpoint);
    main.append(videos);
    await until(() => videos.status === 'ready');
    return { world, videos };
  }

  function choose(videos: Element, file: File): void {
    const input = part(videos, '.choose-subtitles')!.querySelector('input')!;
    const data = new DataTransfer();
    data.items.add(file);
    input.files = data.files;
    input.dispatchEvent(new Event('change'));
  }

  const opened = async (videos: ClipVideos) => {
    await until(() => part(videos, '.add-subtitles'));
    part(videos, '.add-subtitles')!.click();
    await until(() => part(videos, '.choose-subtitles'));
  };
  const starts = async (world: Awaited<ReturnType<typeof put>>['world'], id = 'a') =>
    world.sent('POST', `/tasks/${id}/words`);

  it('finds further clips in the chosen one, about something, as a new video', async () => {
    const { world, videos } = await put([
      video('a', 1, { notes: [], source_seconds: 60 }),
      video('b', 2, { notes: [], source_seconds: 60 }),
      video('c', 3, { notes: [], source_seconds: 60, output_type: 'project' }),
    ]);
    expect(part(videos, '.find-more')).to.equal(null);
    videos.choose('b');
    await until(() => part(videos, '.find-more'));
    expect(parts(videos, '.find-more')).to.have.length(1);
    part(videos, '.find-more')!.click();
    await until(() => part(videos, '[name=topics]'));
    const field = part(videos, '[name=topics]') as HTMLInputElement;
    field.value = 'bees, the price of honey';
    field.form!.requestSubmit();
    field.form!.requestSubmit();
    await until(() => videos.videos.length === 4);
    expect([videos.videos[0]!.source_task_id, videos.selected]).to.deep.equal([
      'b',
      videos.videos[0]!.id,
    ]);
    const sent = await world.sent('POST', '/tasks/b/more');
    expect(sent.map(({ body }) => body)).to.deep.equal([
      { topics: ['bees', 'the price of honey'] },
    ]);
    videos.choose('c');
    await until(() => !part(videos, '.find-more'));
  });

  it('offers no further clips where the service tells no length of a source', async () => {
    const { videos } = await put([video('a', 1, { notes: [] }), video('b', 2)]);
    videos.choose('a');
    await until(() => part(videos, '.words'));
    expect(part(videos, '.find-more')).to.equal(null);
  });

  it('offers words for one without, and not for one that is worked on', async () => {
    const { videos } = await put([
      video('a', 1, { notes: [] }),
      video('b', 2, { status: 'processing' }),
      video('c', 3),
    ]);
    await until(() => part(videos, '.words'));
    expect(parts(videos, '.words').map((box) => box.closest('li')!.textContent)).to.have.length(1);
    expect(part(videos, '.words')!.closest('li')!.textContent).to.include('c');
    expect(part(videos, '.words')!.textContent).to.include('No subtitles or speech were found');
  });

  it('sends a file of subtitles, and the clips of the same video are made once more', async () => {
    const { world, videos } = await put([video('a', 1), video('b', 2, { notes: [] })]);
    await opened(videos);
    const told: Task[] = [];
    main.addEventListener('clip-task', ({ task }) => told.push(task));
    choose(videos, subtitles());
    await until(() => isWorkedOn(videos));
    expect(videos.videos.map(({ id }) => id)).to.deep.equal(['a', 'b']);
    expect(videos.selected).to.equal('a');
    expect(part(videos, 'progress')!.closest('li')!.textContent).to.include('a');
    expect(told.map(({ id }) => id)).to.deep.equal(['a']);
    const [opening] = await world.sent('POST', '/uploads');
    expect(opening!.body).to.include({ name: 'talk.srt', size: subtitles().size });
    const [start] = await starts(world);
    expect(Object.keys(start!.body as object)).to.deep.equal(['subtitles_url']);
    expect(part(videos, '.words')).to.equal(null);
  });

  it('shows the clips that are made in the list of the video', async () => {
    const world = await newWorld({ clips: ['Clip at 0:00'] });
    await world.setTasks([video('a', 1, { output_id: 'f' })]);
    const list = document.createElement('clip-list');
    list.id = 'clips';
    const videos = document.createElement('clip-videos');
    for (const element of [list, videos]) element.setAttribute('endpoint', world.endpoint);
    list.setAttribute('player-url', 'https://clips.example');
    videos.setAttribute('for', 'clips');
    main.append(videos, list);
    await until(() => list.clips.length === 1 && part(videos, '.recognise-speech'));
    part(videos, '.recognise-speech')!.click();
    await until(() => list.status === 'processing');
    expect(list.clips.map(({ name }) => name)).to.deep.equal(['Clip at 0:00']);
    await world.set({ clips: ['Why bees dance'] });
    await world.setTasks([video('a', 1, { output_id: 'f', notes: [] })]);
    await until(() => list.status === 'ready');
    expect(list.clips.map(({ name }) => name)).to.deep.equal(['Why bees dance']);
  });

  it('says why a video has got no words, and offers them again', async () => {
    const failed = { code: 'words-failed', message: 'The clips are as they were: no words.' };
    const { videos } = await put([video('a', 1, { notes: [...notes, failed] })]);
    await until(() => part(videos, '.recognise-speech'));
    expect(fault(videos)).to.equal(failed.message);
  });

  it('takes a link to subtitles', async () => {
    const { world, videos } = await put([video('a', 1)]);
    await opened(videos);
    const link = part(videos, '[name=url]') as HTMLInputElement;
    link.value = 'https://site.example/talk.srt';
    link.form!.requestSubmit();
    await until(() => isWorkedOn(videos));
    const [{ body } = {}] = await starts(world);
    expect(body).to.deep.equal({ subtitles_url: 'https://site.example/talk.srt' });
    expect(await world.sent('POST', '/uploads')).to.deep.equal([]);
  });

  it('has speech recognised, once for a press however often it comes', async () => {
    const { world, videos } = await put([video('a', 1)]);
    await until(() => part(videos, '.recognise-speech'));
    part(videos, '.recognise-speech')!.click();
    part(videos, '.recognise-speech')!.click();
    await until(() => isWorkedOn(videos));
    expect((await starts(world)).map(({ body }) => body)).to.deep.equal([{}]);
  });

  it('says why that is refused, and can be tried with something else', async () => {
    const { videos, world } = await put([video('a', 1)], { start: 'refused' });
    await until(() => part(videos, '.recognise-speech'));
    part(videos, '.recognise-speech')!.click();
    await until(() => fault(videos)?.includes('There is no style "none".'));
    await world.set({ start: 'ok' });
    await opened(videos);
    choose(videos, subtitles());
    await until(() => isWorkedOn(videos));
  });

  it('is started once if the answer is lost, which is found out without a click', async () => {
    const { world, videos } = await put([video('a', 1)], { start: 'act-then-drop' });
    await until(() => part(videos, '.recognise-speech'));
    part(videos, '.recognise-speech')!.click();
    await until(() => fault(videos)?.includes('It is not known yet'));
    expect(part(videos, '.retry')).to.equal(null);
    await world.set({ start: 'ok' });
    document.dispatchEvent(new Event('visibilitychange'));
    await until(() => isWorkedOn(videos));
    expect(videos.videos).to.have.length(1);
    // The browser itself sends a request again on another connection.
    expect(new Set((await starts(world)).map(({ key }) => key)).size).to.equal(1);
  });

  it('on a service without keys, asks the person in the end', async () => {
    const { world, videos } = await put([video('a', 1)], { start: 'fail', keepsKeys: false });
    await until(() => part(videos, '.recognise-speech'));
    part(videos, '.recognise-speech')!.click();
    await until(() => fault(videos)?.includes('It is not known yet'));
    expect(part(videos, '.retry')).to.equal(null);
    await world.set({ start: 'ok', skew: 180_000 });
    document.dispatchEvent(new Event('visibilitychange'));
    await until(() => part(videos, '.retry'));
    expect(fault(videos)).to.contain('cannot say whether the clips are being made');
    part(videos, '.retry')!.click();
    await until(() => !part(videos, '.words'));
  });

  it('stands above its clips, too, where no <clip-videos> shows it', async () => {
    const world = await newWorld({ clips: ['Harbour'] });
    await world.setTasks([video('a', 1, { output_id: 'f' })]);
    const list = newElement('clip-list', {
      endpoint: world.endpoint,
      'player-url': 'https://clips.example',
      folder: 'f',
      task: 'a',
    });
    main.append(list);
    await until(() => part(list, '.recognise-speech'));
    part(list, '.recognise-speech')!.click();
    await until(() => list.status === 'processing');
    expect([list.task, list.folder, part(list, '.words')]).to.deep.equal(['a', 'f', null]);
  });

  it('is accessible, with its form open and an error', async () => {
    const { videos } = await put([video('a', 1)], { start: 'refused' });
    await opened(videos);
    part(videos, '.recognise-speech')!.click();
    await until(() => fault(videos));
    expect(await findFaults(videos)).to.deep.equal([]);
  });
});
