import { expect } from '@open-wc/testing';
import { makeAccountTag } from '../../packages/host/src/users/account-tag.ts';
import { storeFiles, readFiles } from '../../src/client/create-store.ts';
import '../../src/define/clip-create.ts';
import '../../src/define/clip-videos.ts';
import type { ClipCreate } from '../../src/define/clip-create.ts';
import {
  type BrowserWorld,
  newElement,
  newWorld,
  part,
  reaches,
  startUntil,
  until,
} from '../support/browser-world.ts';
import { chooseSound, fileOf } from '../support/chosen-files.ts';
import type { Behaviour } from '../support/page-behaviour.ts';
import { mainOfSuite } from '../support/suite-main.ts';

const text = (element: Element, name: string) =>
  part(element, name)?.textContent.replaceAll(/\s+/g, ' ').trim();

describe('<clip-create>', () => {
  const main = mainOfSuite();

  async function put(
    world: BrowserWorld,
    attributes: Readonly<Record<string, string>> = {},
  ): Promise<ClipCreate> {
    const element = newElement('clip-create', { endpoint: world.endpoint, ...attributes });
    main.append(element);
    await element.updateComplete;
    return element;
  }

  async function putIn(
    behaviour: Partial<Behaviour> = {},
    attributes: Readonly<Record<string, string>> = {},
  ) {
    const world = await newWorld(behaviour);
    return { world, element: await put(world, attributes) };
  }

  /** Puts the element in, and sends a file with it. */
  async function send(file: File, ...put: Parameters<typeof putIn>) {
    const made = await putIn(...put);
    await made.element.choose([file]);
    await made.element.start();
    return made;
  }

  /** Sends a file, of which another tab knows. */
  async function sendBesideTab() {
    const { world, element } = await putIn({ isHeld: true });
    const tab = document.createElement('iframe');
    tab.srcdoc = `<script type="module" src="/src/define/clip-create.ts"></script>
      <clip-create endpoint="${world.endpoint}"></clip-create>`;
    main.append(tab);
    const other = () => tab.contentDocument?.querySelector('clip-create');
    await until(() => other()?.status === 'idle');
    await element.choose([fileOf(500_000)]);
    await element.start();
    await until(async () => (await world.sent('PATCH')).length);
    await until(() => other()!.status === 'uploading');
    return { world, element, other };
  }

  /** The connection was cut, and some bytes have come before. */
  async function isCut(world: BrowserWorld): Promise<boolean> {
    const { uploads, cuts } = await world.uploads();
    return !cuts && !!uploads[0]?.offset;
  }

  /** WebKitGTK keeps no files in a session without a folder. */
  async function keepsFiles(): Promise<boolean> {
    await storeFiles('probe', { file: fileOf(1) });
    return (await readFiles('probe')) !== null;
  }

  /** As a page that is loaded again: the element is gone, and nobody knows the file. */
  async function reload(world: BrowserWorld, element: ClipCreate): Promise<ClipCreate> {
    element.remove();
    await Promise.resolve();
    return put(world);
  }

  describe('from a file to a task', () => {
    it('sends a file, and starts one task of it', async () => {
      const { world, element } = await putIn();
      await element.choose([fileOf(1_000_000)]);
      await reaches(element, 'chosen');
      part(element, '.start')!.click();
      await reaches(element, 'started');
      const { uploads } = await world.uploads();
      expect(uploads.map(({ status, size }) => [status, size])).to.deep.equal([
        ['finished', 1_000_000],
      ]);
      const [start, ...others] = await world.sent('POST', '/tasks/video-to-shorts');
      expect(others).to.deep.equal([]);
      expect(start!.body).to.deep.include({ name: 'talk', source_video_url: uploads[0]!.url });
      expect(start!.key).to.match(/^clip-task-\w{24}$/);
    });

    it('sends nothing before the user starts', async () => {
      const { world, element } = await putIn();
      await element.choose([fileOf(1000)]);
      await reaches(element, 'chosen');
      expect(await world.sent()).to.deep.equal([]);
    });

    it('sends several files one after another, in their order, also after a reload', async function () {
      if (!(await keepsFiles())) return this.skip();
      const { world, element } = await putIn({ isHeld: true });
      const names = ['one', 'two', 'three', 'four'];
      await element.choose(names.map((name) => fileOf(300_000, `${name}.mp4`)));
      await element.start();
      await until(async () => (await world.sent('PATCH')).length);
      const again = await reload(world, element);
      const started: string[] = [];
      again.addEventListener('clip-task', ({ task }) => started.push(task.name!));
      await until(async () => (await world.sent('PATCH')).length > 1);
      await world.set({ isHeld: false });
      await until(() => started.length === names.length);
      expect(started).to.deep.equal(names);
      const order = (await world.sent('POST')).map(({ path }) => path);
      expect(order.slice(1)).to.deep.equal([
        '/tasks/video-to-shorts',
        ...['/uploads', '/tasks/video-to-shorts'],
        ...['/uploads', '/tasks/video-to-shorts'],
        ...['/uploads', '/tasks/video-to-shorts'],
      ]);
    });

    it('sends subtitles with their video', async () => {
      const { world, element } = await putIn();
      const subtitles = new File(['WEBVTT\n'], 'talk.vtt', { type: 'text/vtt' });
      await element.choose([subtitles, fileOf(1000)]);
      expect(element.shadowRoot!.textContent).to.include('With subtitles: talk.vtt');
      await startUntil(element, 'started');
      const { uploads } = await world.uploads();
      const [start] = await world.sent('POST', '/tasks/video-to-shorts');
      const urlOf = (name: string) => uploads.find((one) => one.name === name)!.url;
      expect(start!.body).to.deep.include({
        source_video_url: urlOf('talk.mp4'),
        subtitles_url: urlOf('talk.vtt'),
      });
    });

    it('takes a link', async () => {
      const { world, element } = await putIn();
      const field = part(element, '.link') as HTMLInputElement;
      field.value = 'https://videos.example/a%20talk.mp4';
      part(element, '.add')!.click();
      await reaches(element, 'chosen');
      expect(field.value).to.equal('');
      await startUntil(element, 'started');
      const [start] = await world.sent('POST', '/tasks/video-to-shorts');
      expect(start!.body).to.deep.include({
        name: 'a talk',
        source_video_url: 'https://videos.example/a%20talk.mp4',
      });
    });

    it('takes what is dropped, and what is pasted', async () => {
      const { element } = await putIn();
      const data = new DataTransfer();
      data.items.add(fileOf(1000));
      const init = { bubbles: true, composed: true, cancelable: true };
      part(element, 'drop')!.dispatchEvent(
        new DragEvent('dragover', { ...init, dataTransfer: data }),
      );
      await element.updateComplete;
      expect(element.matches(':state(dragging)')).to.equal(true);
      part(element, 'drop')!.dispatchEvent(new DragEvent('drop', { ...init, dataTransfer: data }));
      await reaches(element, 'chosen');
      expect(element.matches(':state(dragging)')).to.equal(false);
      const link = new DataTransfer();
      link.setData('text/plain', 'https://videos.example/b.mp4');
      // Firefox takes no data in the constructor.
      const paste = new ClipboardEvent('paste', init);
      Object.defineProperty(paste, 'clipboardData', { value: link });
      part(element, '.choose')!.dispatchEvent(paste);
      await until(() => element.shadowRoot!.querySelectorAll('[part="item"]').length === 2);
    });

    it('does nothing if the page stops it, and lets it change the request', async () => {
      const { world, element } = await putIn();
      element.addEventListener('clip-create-start', (event) => event.preventDefault(), {
        once: true,
      });
      await element.choose([fileOf(1000)]);
      await element.start();
      expect(element.status).to.equal('chosen');
      expect(await world.sent()).to.deep.equal([]);
      element.addEventListener('clip-create-start', ({ body }) => {
        body.transcription_context = 'Harbour';
      });
      await startUntil(element, 'started');
      const [start] = await world.sent('POST', '/tasks/video-to-shorts');
      expect(start!.body).to.deep.include({ transcription_context: 'Harbour' });
    });
  });

  describe('says before a byte is sent what will not work', () => {
    it('for a video that is too long', async () => {
      const { world, element } = await putIn({}, { 'max-seconds': '60' });
      await chooseSound(element, 65, () => text(element, 'error') === '1 min 5 sec: at most 1 min');
      part(element, '.start')!.click();
      expect(await world.sent()).to.deep.equal([]);
      part(element, '.remove')!.click();
      await reaches(element, 'idle');
    });

    it('for a file that is too large, is empty, or is not a video', async () => {
      const { element } = await putIn({}, { 'max-bytes': '1000000' });
      const picture = new File(['x'], 'a.png', { type: 'image/png' });
      await element.choose([fileOf(1_200_000), fileOf(0), picture]);
      await element.updateComplete;
      const all = [...element.shadowRoot!.querySelectorAll('[part="error"]')];
      expect(all.map(({ textContent }) => textContent.trim())).to.deep.equal([
        '1.2 MB: at most 1 MB',
        'This file is empty.',
        'This file is neither a video nor sound.',
      ]);
    });

    it('for what is not a link', async () => {
      const { element } = await putIn();
      await element.chooseLink('file:///etc/passwd');
      expect(element.error!.code).to.equal('link-invalid');
      expect(element.status).to.equal('error');
    });

    it('and reads the length where the browser can', async () => {
      const { element } = await putIn();
      await chooseSound(
        element,
        65,
        () => text(element, 'item') === 'talk.mkv 195 kB · 1 min 5 sec × Use only a part',
      );
    });
  });

  it('takes sound alone', async () => {
    const { world, element } = await putIn();
    const sound = new File([await fileOf(20_000).arrayBuffer()], 'talk.mp3', {
      type: 'audio/mpeg',
    });
    await element.choose([sound]);
    await startUntil(element, 'started');
    const { uploads } = await world.uploads();
    expect(uploads.map(({ status }) => status)).to.deep.equal(['finished']);
    const accepted = element.shadowRoot!.querySelector('input')!.accept.split(',');
    expect(accepted).to.include.members(['video/*', 'audio/*', '.opus']);
  });

  describe('a connection that does not last', () => {
    it('is cut 20 times: the file arrives whole, and hardly a byte twice', async () => {
      const { world, element } = await send(fileOf(6_000_000), { cutAfter: 250_000, cuts: 20 });
      await reaches(element, 'started');
      const { uploads, bytes } = await world.uploads();
      expect(uploads.map(({ status }) => status)).to.deep.equal(['finished']);
      expect(await world.sent('POST', '/tasks/video-to-shorts')).to.have.length(1);
      // With each cut, some bytes are lost on their way.
      expect(bytes).to.be.below(6_000_000 * 1.4);
    });

    it('is away for a while: it says so, and goes on when it is back', async () => {
      const { world, element } = await send(fileOf(3_000_000), {
        cutAfter: 200_000,
        cuts: 1,
        cutsEndOffline: true,
      });
      await until(() => element.matches(':state(stalled)'));
      expect(text(element, '.time-left')).to.equal('The connection is interrupted. Still trying.');
      await world.set({ offline: false });
      dispatchEvent(new Event('online'));
      await reaches(element, 'started');
      expect(element.matches(':state(stalled)')).to.equal(false);
    });

    it('is paused and continued', async () => {
      const { world, element } = await send(fileOf(500_000), { isHeld: true });
      await until(() => part(element, '.pause'));
      part(element, '.pause')!.focus();
      part(element, '.pause')!.click();
      await reaches(element, 'paused');
      await world.set({ isHeld: false });
      await element.updateComplete;
      expect(element.shadowRoot!.activeElement).to.equal(part(element, '.resume'));
      part(element, '.resume')!.click();
      await reaches(element, 'started');
      expect((await world.uploads()).uploads).to.have.length(1);
    });

    it('is given up: what was sent is removed', async () => {
      const { world, element } = await send(fileOf(500_000), { isHeld: true });
      await until(() => element.shadowRoot!.querySelector('[aria-valuenow]'));
      await until(async () => (await world.sent('PATCH')).length);
      part(element, '.cancel')!.click();
      await reaches(element, 'idle');
      await until(async () => !(await world.uploads()).uploads.length);
    });
  });

  describe('a page that is loaded again', () => {
    /** An upload that has stopped in the middle, and whose page is gone. */
    async function interrupted(file: File) {
      const { world, element } = await send(file, {
        cutAfter: 200_000,
        cuts: 1,
        cutsEndOffline: true,
      });
      await until(() => isCut(world));
      return { world, element };
    }

    it('continues automatically with a file that the browser has stored', async function () {
      if (!(await keepsFiles())) return this.skip();
      const { world, element } = await interrupted(fileOf(3_000_000));
      const again = await reload(world, element);
      await world.set({ offline: false });
      dispatchEvent(new Event('online'));
      await reaches(again, 'started');
      const { uploads, bytes } = await world.uploads();
      expect(uploads.map(({ status }) => status)).to.deep.equal(['finished']);
      expect(bytes).to.be.below(4_000_000);
    });

    it('asks for the same file if it has not, and starts over with one that has changed', async () => {
      // Above what is kept; its bytes take no memory.
      const large = new File(new Array<Blob>(66).fill(new Blob([new Uint8Array(1e6)])), 'l.mp4', {
        type: 'video/mp4',
        lastModified: 1,
      });
      const { world, element } = await interrupted(large);
      const again = await reload(world, element);
      await world.set({ offline: false });
      await reaches(again, 'file');
      expect(text(again, '.time-left')).to.include('Choose this file again');
      const [first] = (await world.uploads()).uploads;
      await again.choose([new File(['changed'], 'l.mp4', { type: 'video/mp4', lastModified: 2 })]);
      expect(again.error!.code).to.equal('file-changed');
      expect(again.status).to.equal('file');
      await again.updateComplete;
      expect(text(again, 'error')).to.equal(
        'This file has changed since its upload began. Start over to send it as it is now.',
      );
      part(again, '.retry')!.click();
      await reaches(again, 'started');
      const { uploads } = await world.uploads();
      expect(uploads.map(({ size, status }) => [size, status])).to.deep.equal([[7, 'finished']]);
      expect(uploads[0]!.id).not.to.equal(first!.id);
      expect(await world.sent('POST', '/tasks/video-to-shorts')).to.have.length(1);
    });

    /** A file on the disk that the next choice takes by its handle; null where there are none. */
    async function pickable() {
      const root = await (navigator.storage as StorageManager | undefined)?.getDirectory?.();
      const handle = await root?.getFileHandle('talk.mp4', { create: true }).catch(() => null);
      const { showOpenFilePicker } = globalThis as { showOpenFilePicker?: unknown };
      if (!handle || !('createWritable' in handle) || !showOpenFilePicker) return null;
      const write = async (file: File): Promise<void> => {
        const writable = await handle.createWritable();
        await writable.write(file);
        await writable.close();
      };
      await write(fileOf(3_000_000));
      const pick = async (element: ClipCreate): Promise<void> => {
        Object.assign(globalThis, { showOpenFilePicker: () => Promise.resolve([handle]) });
        try {
          part(element, '.choose')!.click();
          await reaches(element, 'chosen');
        } finally {
          Object.assign(globalThis, { showOpenFilePicker });
        }
      };
      return { write, pick };
    }

    it('reads the file again by its handle, where the browser has one', async function () {
      const disk = await pickable();
      if (!disk) return this.skip();
      const { world, element } = await putIn({ cutAfter: 2e5, cuts: 1, cutsEndOffline: true });
      await disk.pick(element);
      await element.start();
      await until(() => isCut(world));
      const again = await reload(world, element);
      await world.set({ offline: false });
      await reaches(again, 'started');
    });

    it('says at once that the file has changed while it was sent, and starts over', async function () {
      const disk = await pickable();
      if (!disk) return this.skip();
      const { world, element } = await putIn({ cutAfter: 2e5, cuts: 1, cutsEndOffline: true });
      await disk.pick(element);
      await element.start();
      await until(() => isCut(world));
      await disk.write(fileOf(1_000_000));
      await world.set({ offline: false });
      dispatchEvent(new Event('online'));
      await reaches(element, 'file');
      expect(element.error!.code).to.equal('file-changed');
      await element.updateComplete;
      part(element, '.retry')!.click();
      await reaches(element, 'started');
      const { uploads } = await world.uploads();
      expect(uploads.map(({ size }) => size)).to.deep.equal([1_000_000]);
    });

    it('shows nothing of another account', async () => {
      const { world, element } = await send(fileOf(1000), { account: 'ann', isHeld: true });
      await until(async () => (await world.sent('PATCH')).length);
      element.remove();
      localStorage.setItem(
        `clip-kit:account:${location.origin}${world.endpoint}`,
        makeAccountTag('bob'),
      );
      const again = await put(await newWorld({ account: 'bob' }));
      await again.updateComplete;
      expect(part(again, 'list')).to.equal(null);
    });
  });

  it('two elements of one page send a file once', async () => {
    const { world, element } = await send(fileOf(500_000), { isHeld: true });
    await until(async () => (await world.sent('PATCH')).length);
    const other = await put(world);
    await reaches(other, 'uploading');
    await world.set({ isHeld: false });
    await reaches(element, 'started');
    await until(() => !part(other, 'list'));
    expect((await world.uploads()).uploads).to.have.length(1);
    expect(await world.sent('POST', '/tasks/video-to-shorts')).to.have.length(1);
  });

  it('another tab waits for the one that sends, and goes on when that is closed', async () => {
    const { world, element, other } = await sendBesideTab();
    expect(text(other()!, '.time-left')).to.equal('Waiting');
    element.remove();
    await world.set({ isHeld: false });
    // Where files are not kept, the person chooses it again.
    await until(() => /^(started|file)$/.test(other()!.status));
    if (other()!.status === 'file') await other()!.choose([fileOf(500_000)]);
    await until(() => other()!.status === 'started');
    expect((await world.uploads()).uploads).to.have.length(1);
    expect(await world.sent('POST', '/tasks/video-to-shorts')).to.have.length(1);
  });

  it('cancel in another tab ends it in the one that sends, and removes what was sent', async () => {
    const { world, element, other } = await sendBesideTab();
    part(other()!, '.cancel')!.click();
    await reaches(element, 'idle');
    await world.set({ isHeld: false });
    await until(async () => !(await world.uploads()).uploads.length);
    expect(await world.sent('POST', '/tasks/video-to-shorts')).to.deep.equal([]);
  });

  describe('what goes wrong', () => {
    const states = [
      ['the plan is used up', { start: 'limit' }, 'limit', 'task-limit', 'Your plan allows no more videos at the moment.'],
      ['there is no room', { refuse: 507 }, 'limit', 'storage-full', 'There is no room for this file at the moment. Try again later.'],
      ['too many at once', { refuse: 429, retryAfter: 30 }, 'limit', 'rate-limited', 'Too many requests. Wait a moment and try again. Try again in about 30 seconds.'],
      ['the service does not take the file', { refuseBytes: 415 }, 'error', 'upload-refused', 'This file has no video: it is a picture.'],
      ['the service has no room for the task', { start: 'full' }, 'limit', 'storage-full', 'There is no room for this file at the moment. Try again later.'],
      ['what became of the start is being checked', { start: 'fail' }, 'unknown', 'task-outcome-unknown', 'It is not known yet whether the clips are being made. This is being checked; nothing is started twice.'],
      ['the request is refused', { start: 'refused' }, 'error', 'task-refused', 'There is no style "none".'],
    ] as const; // prettier-ignore
    for (const [what, behaviour, status, code, words] of states) {
      it(`${what}: ${code}`, async () => {
        const { element } = await putIn(behaviour);
        const told: string[] = [];
        element.addEventListener('clip-create-error', ({ error }) => told.push(error.code));
        await element.choose([fileOf(1000)]);
        await element.start();
        await reaches(element, status);
        expect(element.error!.code).to.equal(code);
        expect(text(element, 'error')).to.equal(words);
        expect(element.matches(`:state(${status})`)).to.equal(true);
        expect(told).to.deep.equal([code]);
      });
    }

    it('while the outcome is open, says that Cancel keeps the file, and keeps it', async () => {
      const { world, element } = await send(fileOf(1000), { start: 'fail' });
      await reaches(element, 'unknown');
      expect(text(element, 'item')).to.include(
        '“Cancel” only removes this entry: the file stays, and what has started goes on.',
      );
      part(element, '.cancel')!.click();
      await reaches(element, 'idle');
      expect((await world.uploads()).uploads).to.have.length(1);
      expect(await world.sent('DELETE')).to.deep.equal([]);
    });

    it('after a refusal the next try starts the same task, and sends no byte again', async () => {
      const { world, element } = await send(fileOf(1000), { start: 'limit' });
      await reaches(element, 'limit');
      await world.set({ start: 'ok' });
      part(element, '.retry')!.click();
      await reaches(element, 'started');
      const starts = await world.sent('POST', '/tasks/video-to-shorts');
      expect(new Set(starts.map(({ key }) => key))).to.have.length(1);
      expect(await world.sent('PATCH')).to.have.length(1);
    });

    it('the answer to an upload is lost: the next try, also after a reload, has the same one', async () => {
      const { world, element } = await send(fileOf(1000), { losesOpens: true });
      // Some browsers send it again while answers are lost.
      await until(async () => (await world.uploads()).uploads.length);
      await world.set({ losesOpens: false });
      const again = await reload(world, element);
      // Where files are not kept, the person chooses it again.
      await until(() => /^(started|file)$/.test(again.status));
      if (again.status === 'file') await again.choose([fileOf(1000)]);
      await reaches(again, 'started');
      const { uploads } = await world.uploads();
      expect(uploads.map(({ status }) => status)).to.deep.equal(['finished']);
      const keys = (await world.sent('POST', '/uploads')).map(({ key }) => key);
      expect(new Set(keys)).to.have.length(1);
      expect(keys[0]).to.match(/^clip-upload-\w{24}-0$/);
    });

    it('an upload whose answer was lost is gone: the next try makes another one', async () => {
      const { world, element } = await send(fileOf(1000), { losesOpens: true });
      await until(async () => (await world.uploads()).uploads.length);
      const [lost] = (await world.uploads()).uploads;
      await fetch(`${world.endpoint}/uploads/${lost!.id}`, { method: 'DELETE' });
      element.remove();
      await world.set({ losesOpens: false });
      const again = await reload(world, element);
      await until(() => /^(error|file)$/.test(again.status));
      if (again.status === 'file') await again.choose([fileOf(1000)]);
      await until(() => again.error?.code === 'upload-gone');
      await again.updateComplete;
      part(again, '.retry')!.click();
      await reaches(again, 'started');
      expect((await world.uploads()).uploads).to.have.length(1);
    });

    it('a deleted upload is sent again on request', async () => {
      const { world, element } = await send(fileOf(2_000_000), {
        cutAfter: 100_000,
        cuts: 1,
        cutsEndOffline: true,
      });
      await until(() => isCut(world));
      await world.set({ refuseBytes: 404, offline: false });
      dispatchEvent(new Event('online'));
      await reaches(element, 'error');
      expect(element.error!.code).to.equal('upload-gone');
      await world.set({ refuseBytes: 0 });
      await element.updateComplete;
      part(element, '.retry')!.click();
      await reaches(element, 'started');
      expect((await world.uploads()).uploads).to.have.length(2);
    });
  });

  describe('options', () => {
    const startOf = async (attributes: Readonly<Record<string, string>>, path: string) => {
      const { world, element } = await send(fileOf(1000), {}, attributes);
      await reaches(element, 'started');
      const { source_video_url: _, ...body } = (await world.sent('POST', path))[0]!.body!;
      return body;
    };

    it('are left to the service by default', async () => {
      expect(await startOf({}, '/tasks/video-to-shorts')).to.deep.equal({
        name: 'talk',
        editing_options: {
          captions: true,
          emojis: true,
          intro_title: true,
          remove_silences: false,
        },
      });
    });

    it('are attributes', async () => {
      const attributes = {
        count: '5',
        length: '30',
        language: 'de',
        'translate-to': 'en',
        shape: '1:1',
        'no-emojis': '',
        'remove-silences': '',
        'preset-id': 'glow',
      };
      expect(await startOf(attributes, '/tasks/video-to-shorts')).to.deep.equal({
        name: 'talk',
        language: 'de',
        translate_to: 'en',
        style_preset_id: 'glow',
        dimensions: { width: 1080, height: 1080 },
        editing_options: {
          captions: true,
          emojis: false,
          intro_title: true,
          remove_silences: true,
        },
        target_clip_count: 5,
        max_clip_count: 5,
        target_duration: 30,
        min_duration: 15,
        max_duration: 45,
      });
    });

    it('may say what the clips should be about', async () => {
      const { element, world } = await putIn();
      const field = part(element, '.topics') as HTMLInputElement;
      field.value = 'bees, machine learning';
      field.dispatchEvent(new Event('change'));
      expect(element.topics).to.equal('bees, machine learning');
      await element.choose([fileOf(1000)]);
      await startUntil(element, 'started');
      const [{ body } = {}] = await world.sent('POST', '/tasks/video-to-shorts');
      expect(body).to.deep.include({ topics: ['bees', 'machine learning'] });
    });

    it('may use only a part of a video, by its times', async () => {
      const { element, world } = await putIn();
      await element.choose([fileOf(1000)]);
      await until(() => part(element, '.open-range'));
      part(element, '.open-range')!.click();
      await until(() => part(element, '.range-end'));
      const set = (name: string, time: string) => {
        const field = part(element, name) as HTMLInputElement;
        field.value = time;
        field.dispatchEvent(new Event('change'));
        return field;
      };
      expect(element.shadowRoot!.activeElement).to.equal(part(element, '.range-start'));
      expect(set('.range-end', 'later').ariaInvalid).to.equal('true');
      expect(set('.range-end', '2:05').ariaInvalid).to.equal('false');
      await element.updateComplete;
      expect(set('.range-start', '2:05').ariaInvalid).to.equal('true');
      set('.range-start', '1:00');
      await startUntil(element, 'started');
      const [{ body } = {}] = await world.sent('POST', '/tasks/video-to-shorts');
      expect(body).to.deep.include({ source_range: { start: 60, end: 125 } });
    });

    it('may use only a part of a linked video, whose length is not known', async () => {
      const { element, world } = await putIn();
      (part(element, '.link') as HTMLInputElement).value = 'https://site.example/talk.mp4';
      part(element, '.add')!.click();
      await until(() => part(element, '.open-range'));
      part(element, '.open-range')!.click();
      await until(() => part(element, '.range-end'));
      for (const [name, time] of [
        ['.range-start', '1:00'],
        ['.range-end', '2:00'],
      ] as const) {
        const field = part(element, name) as HTMLInputElement;
        field.value = time;
        field.dispatchEvent(new Event('change'));
        expect(field.ariaInvalid).to.equal('false');
      }
      await startUntil(element, 'started');
      const [{ body } = {}] = await world.sent('POST', '/tasks/video-to-shorts');
      expect(body).to.deep.include({ source_range: { start: 60, end: 120 } });
    });

    it('may use only a part of a video, by two handles that never cross', async () => {
      const { element, world } = await putIn();
      await chooseSound(
        element,
        65,
        () => !!element.shadowRoot!.querySelector('small')?.textContent.includes('1 min'),
      );
      part(element, '.open-range')!.click();
      await until(() => part(element, '.strip'));
      const handles = () => [...part(element, '.strip')!.querySelectorAll('input')];
      const slide = async (at: 0 | 1, seconds: number) => {
        const handle = handles()[at]!;
        handle.value = `${seconds}`;
        handle.dispatchEvent(new Event('input'));
        await element.updateComplete;
      };
      expect(handles().map(({ ariaLabel }) => ariaLabel)).to.deep.equal(['From', 'To']);
      await slide(1, 40);
      await slide(0, 50);
      expect((part(element, '.range-start') as HTMLInputElement).value).to.equal('0:39');
      await slide(0, 10);
      await startUntil(element, 'started');
      const [{ body } = {}] = await world.sent('POST', '/tasks/video-to-shorts');
      expect(body).to.deep.include({ source_range: { start: 10, end: 40 } });
    });

    it('make one edited video', async () => {
      const body = await startOf({ kind: 'video', count: '3' }, '/tasks/video-to-video');
      expect(body).not.to.have.property('target_clip_count');
      const { element } = await putIn({}, { kind: 'video' });
      await chooseSound(element, 960, () => text(element, 'error') === '16 min: at most 15 min');
    });

    it('are shown as the page wants, and what is chosen is kept', async () => {
      const { element } = await putIn({}, { options: 'count length' });
      const labels = [...element.shadowRoot!.querySelectorAll('label > span')];
      expect(labels.map(({ textContent }) => textContent)).to.deep.equal([
        'Number of clips',
        'Length of a clip',
      ]);
      const select = part(element, 'select[part]') as HTMLSelectElement;
      select.value = '5';
      select.dispatchEvent(new Event('change'));
      expect(element.count).to.equal(5);
      element.options = '';
      await element.updateComplete;
      expect(part(element, 'options')).to.equal(null);
    });

    it('name a number that the page has set as they name their own', async () => {
      const { element } = await putIn({}, { options: 'length', length: '25' });
      const select = part(element, 'select[part]') as HTMLSelectElement;
      const labels = [...select.options].map(({ label }) => label);
      expect(labels.slice(0, 4)).to.deep.equal([
        'Automatic',
        'About 20 seconds',
        'About 25 seconds',
        'About 30 seconds',
      ]);
      expect(select.selectedOptions[0]!.label).to.equal('About 25 seconds');
    });

    it('have styles with a picture of each', async () => {
      const { element } = await putIn({}, { options: 'style' });
      const captions = {
        font: 'Noto Sans',
        weight: 'bold',
        colour: '#ffffff',
        outline: { colour: '#000000', width: 0.1 },
        spoken: { mark: 'colour', colour: '#39e75f' },
        capitals: true,
        box: null,
      };
      element.presets = [
        { id: 'punch', name: 'Punch', style: { captions } },
        { id: 'own', name: 'Own', picture_url: '/poster.gif' },
      ];
      await until(() => element.shadowRoot!.querySelectorAll('.sample').length === 2);
      const word = element.shadowRoot!.querySelector<HTMLElement>('.sample i')!;
      expect(getComputedStyle(word).color).to.equal('rgb(57, 231, 95)');
      element.shadowRoot!.querySelectorAll<HTMLElement>('input[type="radio"]')[1]!.click();
      expect(element.presetId).to.equal('own');
    });
  });

  it('announces quarters of an upload, and no more', async () => {
    const { element } = await putIn({ cutAfter: 100_000, cuts: 30 });
    const heard = new Set<string>();
    const region = element.shadowRoot!.querySelector('[role="status"]')!;
    const observer = new MutationObserver(() => heard.add(region.textContent));
    observer.observe(region, { childList: true, characterData: true, subtree: true });
    await element.choose([fileOf(3_000_000)]);
    await startUntil(element, 'started');
    expect(heard.size).to.be.at.most(8);
    expect([...heard].at(-1)).to.equal('Your clips are being made.');
  });

  describe('with a session', () => {
    const putWith = async (user: string | null) => {
      const world = await newWorld({ session: { user } });
      const session = `${world.endpoint}/_session`;
      const videos = document.createElement('clip-videos');
      Object.assign(videos, { endpoint: world.endpoint, session });
      main.append(videos);
      const element = await put(world, { session });
      const change = async (next: string | null) => {
        await world.set({ session: { user: next } });
        dispatchEvent(new Event('clip-session-change'));
      };
      return { world, videos, element, change };
    };

    it('invites nobody to upload while no user is signed in, as the other elements', async () => {
      document.cookie = 'site=1; path=/';
      const { element, videos, change } = await putWith(null);
      await Promise.all([reaches(element, 'signed-out'), reaches(videos, 'signed-out')]);
      await element.updateComplete;
      expect(text(element, 'error')).to.equal('Sign in to continue.');
      for (const name of ['drop', '.start', 'options']) expect(part(element, name)).to.equal(null);
      await change('ann');
      await Promise.all([reaches(element, 'idle'), reaches(videos, 'ready')]);
      await until(() => part(element, 'drop'));
      await change(null);
      await reaches(element, 'signed-out');
      expect(part(element, 'drop')).to.equal(null);
    });

    it('shares the session of the other elements', async () => {
      document.cookie = 'site=1; path=/';
      const { world, element, videos } = await putWith('ann');
      await reaches(videos, 'ready');
      expect(element.status).to.equal('idle');
      expect(await world.sessions()).to.equal(1);
    });

    it('keeps what is chosen when the user signs out', async () => {
      document.cookie = 'site=1; path=/';
      const { world, element, videos, change } = await putWith('ann');
      await reaches(videos, 'ready');
      await element.choose([fileOf(1000)]);
      await reaches(element, 'chosen');
      await change(null);
      await reaches(videos, 'signed-out');
      expect(text(element, 'title')).to.equal('talk.mp4');
      await element.start();
      await reaches(element, 'signed-out');
      await change('ann');
      await reaches(element, 'started');
      expect(await world.sent('POST', '/tasks/video-to-shorts')).to.have.length(1);
    });
  });

  it('without an endpoint says so', async () => {
    const element = document.createElement('clip-create');
    main.append(element);
    await reaches(element, 'error');
    expect(element.error!.code).to.equal('missing-endpoint');
  });
});
