import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { exportSchema, type Note, type Project, type Task } from 'clip-kit/contract';
import { listInstalledFonts } from '../../../engine/src/captions/letters.ts';
import { defaultStyle } from 'clip-engine/drawing';
import { fakeServer, type Asked, type Reply } from 'clip-testkit/fake-server';
import { temporaryDirectory } from 'clip-testkit/media-footage';
import { assertProblem, eventually, World } from 'clip-testkit/world';

type Fake = Awaited<ReturnType<typeof fakeServer>>;

/** A sentence every four seconds. */
const speaks = {
  language: 'english',
  text: '',
  words: [0, 4, 8, 12].flatMap((at) =>
    'Why do people never finish a race?'
      .split(' ')
      .map((word, index) => ({ word, start: at + index * 0.4, end: at + index * 0.4 + 0.3 })),
  ),
};
const translates = (asked: Asked): Reply =>
  asked.path.endsWith('/languages')
    ? { body: [{ code: 'en', name: 'English', targets: ['de', 'he'] }] }
    : { body: { translatedText: asked.json().q.map((text: string) => `Über ${text}`) } };
const chooses = {
  choices: [{ message: { content: '{"clips":[{"first":2,"last":2},{"first":3,"last":3}]}' } }],
};
const broken: Reply = { status: 500, body: { error: 'out of order' } };

describe('a service with speech, translation and ranking servers', () => {
  let world: World;
  let speech: Fake;
  let translation: Fake;
  let ranking: Fake;
  let presets: Awaited<ReturnType<typeof temporaryDirectory>>;
  /** The speech server answers then. */
  let held: PromiseWithResolvers<void> | null = null;
  const working = { speech: true, translation: true, ranking: true };
  const keys = ['speech-secret-1', 'translation-secret-2', 'ranking-secret-3'];
  before(async () => {
    speech = await fakeServer(async () => {
      await held?.promise;
      return working.speech ? { body: speaks } : broken;
    });
    translation = await fakeServer((asked) =>
      working.translation || asked.path.endsWith('/languages') ? translates(asked) : broken,
    );
    ranking = await fakeServer(() => (working.ranking ? { body: chooses } : broken));
    presets = await temporaryDirectory();
    const style = structuredClone(defaultStyle);
    style.captions.font = 'Nowhere Sans';
    const preset = { name: 'Nowhere', description: '', style };
    await writeFile(join(presets.path, 'nowhere.json'), JSON.stringify(preset));
    world = await World.start({
      presetsDir: presets.path,
      speech: { url: `${speech.url}/v1`, apiKey: keys[0] },
      translation: { url: translation.url, apiKey: keys[1] },
      ranking: { url: `${ranking.url}/v1`, apiKey: keys[2], model: 'any' },
    });
  });
  after(async () => {
    await world.close();
    await presets.remove();
    await Promise.all([speech.close(), translation.close(), ranking.close()]);
  });
  beforeEach(() => {
    Object.assign(working, { speech: true, translation: true, ranking: true });
    for (const { asked } of [speech, translation, ranking]) asked.length = 0;
  });

  const finish = async (kind: 'shorts' | 'whole', more: Record<string, unknown>) => {
    const path = kind === 'shorts' ? '/tasks/video-to-shorts' : '/tasks/video-to-video';
    const created = await world.post(path, world[kind](more));
    assert.equal(created.status, 201, JSON.stringify(created.body));
    return world.finishTask(created.body.id);
  };
  const cachedJson = async (task: string, name: string) =>
    JSON.parse(await readFile(join(world.directory, 'data/files/sources', task, name), 'utf8'));
  const logged = (event: string, id: string) =>
    world.log.find((entry) => entry.event === event && entry['id'] === id);

  /** Without those of fonts: machines differ. */
  const codesOf = ({ notes }: Task) =>
    notes
      ?.map(({ code }) => code)
      .filter((code) => !/font|letters/.test(code))
      .toSorted();

  it('hears a source without subtitles, with the language and the context of the request', async () => {
    const task = await finish('whole', { language: 'en', transcription_context: 'Ada Lovelace' });
    assert.equal(task.status, 'ready', JSON.stringify(task.failure));
    const form = await speech.asked[0]!.form();
    assert.deepEqual([form.get('language'), form.get('prompt')], ['en', 'Ada Lovelace']);
    const kept = await cachedJson(task.id, 'transcription.json');
    assert.deepEqual([kept.provider, kept.transcription.language], ['speech-server', 'en']);
    const line = logged('transcribed', task.id);
    assert.deepEqual([line?.['provider'], line?.['language']], ['speech-server', 'en']);
  });

  it('goes on without words where nobody gives them, and says why', async () => {
    working.speech = false;
    const task = await finish('whole', {});
    assert.equal(task.status, 'ready', JSON.stringify(task.failure));
    const failure = logged('transcriber-failed', task.id);
    assert.equal(failure?.['provider'], 'speech-server');
    assert.match(String(failure?.['reason']), /status 500: out of order/);
    assert.equal((await cachedJson(task.id, 'transcription.json')).failures.length, 1);
    // The person who asked is told as well, without what the server wrote.
    assert.deepEqual(codesOf(task), ['no-words', 'transcriber-failed']);
    assert.doesNotMatch(JSON.stringify(task.notes), /out of order/);
    assert.match(
      JSON.stringify(task.notes),
      /recognition failed \(the speech server\).*ending in \.vtt/,
    );
  });

  it('takes subtitles where there are some, lets the model help to choose, and translates what is shown', async () => {
    const task = await finish('shorts', { translate_to: 'de', language: 'en' });
    assert.equal(task.status, 'ready', JSON.stringify(task.failure));
    assert.equal(speech.asked.length, 0);
    assert.equal(logged('transcribed', task.id)?.['provider'], 'subtitles');
    const { body } = await world.get(`/projects/${task.output_id}`);
    for (const { name } of body) assert.match(name, /^Über /);
    assert.match(body[0].virality_score_explanation, /Chosen by the language model too/);
    assert.deepEqual(codesOf(task), []);
    const { texts, translations } = await cachedJson(task.id, 'translation-de.json');
    assert.equal(texts.length, translations.length);
    // The talk is 16 seconds long: all of it is in a clip, or within the 15 seconds beside one.
    assert.equal(new Set(texts).size, 4);
  });

  it('chooses alone where the model fails, and translates nothing that is in the language already', async () => {
    working.ranking = false;
    const task = await finish('shorts', { translate_to: 'de', language: 'de' });
    assert.equal(task.status, 'ready', JSON.stringify(task.failure));
    assert.match(String(logged('ranking-failed', task.id)?.['reason']), /status 500/);
    assert.deepEqual(codesOf(task), ['ranking-failed']);
    const { body } = await world.get(`/projects/${task.output_id}`);
    assert.doesNotMatch(body[0].virality_score_explanation, /language model/);
    assert.ok(translation.asked.every(({ path }) => path.endsWith('/languages')));
  });

  it('looks at fonts again for an export in another style', async (context) => {
    if (!(await listInstalledFonts(context.signal))) return context.skip('no fc-list is installed');
    const task = await finish('whole', { editing_options: { captions: true, intro_title: false } });
    const fontNotes = (notes: Note[] | undefined) =>
      notes?.filter(({ message }) => message.includes('Nowhere Sans')).map(({ code }) => code);
    const { body: clip } = await world.get(`/projects/${task.output_id}`);
    assert.deepEqual([fontNotes(task.notes), fontNotes(clip.notes)], [[], []]);
    const exported = async (body: object) => {
      const started = await world.post(`/projects/${clip.id}/exports`, body);
      return world.finishExport(exportSchema.parse(started.body));
    };
    assert.deepEqual(fontNotes((await exported({})).notes), []);
    const restyled = await exported({ preset_id: 'nowhere' });
    assert.equal(restyled.status, 'ready');
    assert.deepEqual(fontNotes(restyled.notes), ['font-missing']);
    assert.ok(logged('note', restyled.id));
  });

  it('says where there was nothing to translate', async () => {
    working.speech = false;
    const task = await finish('whole', { translate_to: 'de' });
    assert.equal(task.status, 'ready', JSON.stringify(task.failure));
    assert.ok(codesOf(task)?.includes('nothing-to-translate'));
  });

  describe('a task whose words were not known', () => {
    let task: Task;
    /** Best first. */
    let clips: Project[];
    before(async () => {
      const footage = join(world.directory, 'footage');
      await copyFile(join(footage, 'talk.mp4'), join(footage, 'mute.mp4'));
      working.speech = false;
      const source_video_url = world.sources.at('mute.mp4');
      task = await finish('shorts', { source_video_url, target_clip_count: 3, name: 'Talk' });
      clips = (await world.get(`/projects/${task.output_id}`)).body;
      assert.deepEqual([codesOf(task)?.includes('no-words'), clips.length], [true, 3]);
    });
    const idsNow = async (): Promise<string[]> =>
      (await world.get(`/projects/${task.output_id}`)).body.map(({ id }: Project) => id);
    const ask = (headers: Record<string, string> = {}) =>
      world.post(`/tasks/${task.id}/words`, { language: 'en' }, { headers });

    it('stays as it was where they cannot be heard either, and says why', async () => {
      working.speech = false;
      assert.equal((await ask()).status, 202);
      const after = await world.finishTask(task.id);
      assert.deepEqual([after.status, after.failure], ['ready', null]);
      assert.deepEqual(codesOf(after), ['no-words', 'transcriber-failed', 'words-failed']);
      assert.match(JSON.stringify(after.notes), /The clips are unchanged.*the speech server/);
      assert.deepEqual(
        await idsNow(),
        clips.map(({ id }) => id),
      );
    });

    it('gets them once they are heard: its clips are made again, except those of people', async () => {
      const [edited, exported] = [clips[0]!, clips[1]!];
      const changed = await world.call(
        'PATCH',
        `/projects/${edited.id}/edit`,
        { changes: { title: 'Mine' } },
        {
          headers: { 'If-Match': '*' },
        },
      );
      assert.equal(changed.status, 200, JSON.stringify(changed.body));
      const started = await world.post(`/projects/${exported.id}/exports`);
      const tasks = (await world.get('/tasks')).body.length;
      const requests = world.sources.requests.length;
      held = Promise.withResolvers<void>();
      const headers = { 'Idempotency-Key': randomUUID() };
      const asked = await ask(headers);
      assert.deepEqual(
        [asked.status, asked.body.id, asked.body.status],
        [202, task.id, 'processing'],
      );
      await eventually(async () => assert.ok(speech.asked.length > 0));
      assert.deepEqual(
        await idsNow(),
        clips.map(({ id }) => id),
      );
      const again = await ask();
      assert.deepEqual([again.status, again.body.reason], [422, 'not-ready']);
      assert.deepEqual((await ask(headers)).body.id, task.id);
      held.resolve();
      const after = await world.finishTask(task.id);
      assert.deepEqual([after.status, after.name, codesOf(after)], ['ready', 'Talk', []]);
      const now: Project[] = (await world.get(`/projects/${task.output_id}`)).body;
      assert.equal(now.length, 3);
      assert.ok(!now.some(({ id }) => id === clips[2]!.id));
      const [mine, sold] = [edited, exported].map(({ id }) => now.find((clip) => clip.id === id));
      assert.deepEqual([mine?.revision, mine?.name, sold?.name], [2, 'Mine', exported.name]);
      const made = now.find(({ id }) => id !== edited.id && id !== exported.id)!;
      assert.doesNotMatch(made.name, /^Clip at/);
      const finished = await world.finishExport(exportSchema.parse(started.body));
      assert.equal(finished.status, 'ready');
      assert.equal((await world.get('/tasks')).body.length, tasks);
      assert.equal(world.sources.requests.length, requests);
      // Further clips know the words, too.
      assert.equal((await world.post(`/tasks/${task.id}/more`)).status, 201);
    });
  });

  it('names a subtitle file that has no words, and asks the next provider', async () => {
    const beside = join(world.directory, 'footage/scene.srt');
    await writeFile(beside, 'nothing here');
    const task = await finish('whole', {}).finally(() => rm(beside));
    assert.equal(logged('transcribed', task.id)?.['provider'], 'speech-server');
    assert.deepEqual(codesOf(task), ['subtitles-unusable']);
  });

  it('refuses a language that the translation server does not know, before it fetches anything', async () => {
    const before = world.sources.requests.length;
    const refused = await world.post(
      '/tasks/video-to-shorts',
      world.shorts({ translate_to: 'fr' }),
    );
    assertProblem(refused, 422, 'unprocessable');
    assert.equal(refused.body.errors[0].path, 'translate_to');
    assert.match(refused.body.detail, /does not translate to fr\. It knows: de, he\./);
    assert.equal(world.sources.requests.length, before);
  });

  it('fails the task where the translation fails', async () => {
    working.translation = false;
    const task = await finish('shorts', { translate_to: 'he' });
    assert.equal(task.status, 'error');
    assert.equal(task.failure?.code, 'translation-failed');
    assert.match(task.failure?.message ?? '', /could not be translated to he.*status 500/);
  });

  it('never shows a key', () => {
    for (const key of keys) assert.ok(!JSON.stringify(world.log).includes(key));
  });
});
