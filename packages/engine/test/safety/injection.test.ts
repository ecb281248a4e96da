import assert from 'node:assert/strict';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { writeAssDocument } from '../../src/captions/ass.ts';
import { filterGraph } from '../../src/render/filter-graph.ts';
import { makeWholeEdit } from '../support/whole-edit.ts';
import { type Edit } from '../../src/edit.ts';
import { render } from '../../src/render/render.ts';
import { renderArguments } from '../../src/render/encoding.ts';
import { fetchWatermark } from '../../src/render/watermark.ts';
import { downloadSource } from '../../src/source/ingest.ts';
import { hostileTexts as hostile } from 'clip-testkit/hostile-texts';
import { spokenAnalysis } from 'clip-testkit/media-analysis';
import { describeFile, ffmpeg, makeVideo, temporaryDirectory } from 'clip-testkit/media-footage';
import { mediaServer } from 'clip-testkit/media-server';
import { editingWith } from 'clip-testkit/plain-edit';

const dimensions = { width: 180, height: 320 };
const editing = editingWith('captions', 'intro_title', 'reframe');

const harmless = makeWholeEdit(spokenAnalysis(['One two three.', 'Four five six.']), {
  editing,
  dimensions,
  title: 'A title',
});

/**
 * The same edit with other words in every place that can have a word from the source or the
 * request.
 */
const saying = (text: string): Edit => ({
  ...harmless,
  captions: harmless.captions.map((line) => ({
    ...line,
    words: line.words.map((word) => ({ ...word, text })),
  })),
  title: { text, end: harmless.title!.end },
});

const named = encodeURIComponent("';[x]:%{eif}\n..\\..\\");
const directory = await temporaryDirectory();
let server: Awaited<ReturnType<typeof mediaServer>>;
const files = {
  opened: { input: ['-i', '/s/source'], clockSeconds: 0 },
  output: '/s/part.mp4',
  images: ['/s/emoji-0.png'],
};

before(async () => {
  await makeVideo(join(directory.path, 'video.mp4'), { seconds: 2 });
  const image = join(directory.path, 'a.png');
  await ffmpeg(['-f', 'lavfi', '-i', 'color=s=8x8', '-frames:v', '1', image]);
  const picture = await readFile(image);
  const video = await readFile(join(directory.path, 'video.mp4'));
  server = await mediaServer({ [`/${named}.png`]: picture, [`/${named}.mp4`]: video });
});
after(async () => {
  await server.close();
  await directory.remove();
});

test('no word reaches the arguments of ffmpeg or the filter graph', () => {
  const graph = (edit: Edit) =>
    filterGraph(edit, files.opened, dimensions, { captions: true, overlays: [] });
  for (const text of hostile) {
    const edit = saying(text);
    for (const quality of ['export', 'preview'] as const) {
      assert.deepEqual(
        renderArguments(edit, files, '-/filter_complex', quality),
        renderArguments(harmless, files, '-/filter_complex', quality),
      );
    }
    assert.equal(graph(edit), graph(harmless), JSON.stringify(text));
  }
});

describe('words in an ASS document', () => {
  const sections = (document: string) => document.split('\n').filter((line) => /^\[/.test(line));
  const events = (document: string) =>
    document.split('\n').filter((line) => line.startsWith('Dialogue:'));
  /** The commands in the text of events, our own and others. */
  const commands = (document: string) =>
    new Set(
      events(document).flatMap((event) =>
        [...event.matchAll(/(?<!\\)\{([^}]*)\}/g)].map(([, inside = '']) => inside),
      ),
    );
  const plain = writeAssDocument(harmless);
  for (const text of hostile) {
    test(`add no line and no command: ${JSON.stringify(text)}`, () => {
      const document = writeAssDocument(saying(text));
      assert.deepEqual(sections(document), sections(plain));
      assert.equal(events(document).length, events(plain).length);
      assert.equal(document.split('\n').length, plain.split('\n').length);
      assert.doesNotMatch(document, /[\0-\x08\x0b-\x1f\x7f\u2028\u2029]/);
      const known = commands(plain);
      for (const command of commands(document)) {
        // The letters of a word that is too long for a line get smaller.
        if (!/^\\fscx\d+\\fscy\d+$/.test(command)) assert.ok(known.has(command), command);
      }
    });
  }
});

describe('drawn by libass', () => {
  /** Rows of the picture that are not empty after one second. */
  const rows = async (edit: Edit): Promise<number> => {
    await writeFile(join(directory.path, 'c.ass'), writeAssDocument({ ...edit, title: null }));
    const raw = await ffmpeg(
      // prettier-ignore
      [
        '-f', 'lavfi', '-i', `color=black:s=${dimensions.width}x${dimensions.height}:r=2`,
        '-t', '1', '-vf', 'ass=c.ass,format=gray', '-f', 'rawvideo', 'pipe:1',
      ],
      directory.path,
    );
    const last = raw.subarray(-dimensions.width * dimensions.height);
    let lit = 0;
    for (let y = 0; y < dimensions.height; y++) {
      if (last.subarray(y * dimensions.width, (y + 1) * dimensions.width).some((v) => v > 100))
        lit++;
    }
    return lit;
  };

  test('commands in a word draw their own letters, no larger and nowhere else', async () => {
    const one = (text: string): Edit => ({
      ...harmless,
      captions: harmless.captions
        .slice(0, 1)
        .map((line) => ({ ...line, words: [{ ...line.words[0]!, text }] })),
    });
    const usual = await rows(one('(jÅ|'));
    for (const text of ['{\\fs400}A', '{\\p1}m 0 0 l 90 0 90 90', 'a\\N\\N\\Nb', '\\{\\fs400}A']) {
      const lit = await rows(one(text));
      assert.ok(lit > 0 && lit <= usual * 1.3, `${text}: ${lit} rows, and ${usual} usually`);
    }
  });

  test('a render with all of them is as long and as large as any other', async () => {
    const source = join(directory.path, 'video.mp4');
    const output = join(directory.path, 'out.mp4');
    const words = harmless.captions[0]!.words[0]!;
    const edit: Edit = {
      ...harmless,
      source: { width: 320, height: 180, frameRate: 25, hasAudio: true },
      framing: { mode: 'fit' },
      ranges: [{ start: 0, end: 2 }],
      duration: 2,
      captions: hostile.map((text, index) => ({
        start: index * 0.08,
        end: (index + 1) * 0.08,
        words: [{ ...words, text, start: index * 0.08, end: (index + 1) * 0.08 }],
      })),
      title: { text: hostile.join(' '), end: 2 },
    };
    const before = await readdir(directory.path);
    const signal = new AbortController().signal;
    const rendered = await render(edit, { source, output, quality: 'export', signal });
    assert.ok(Math.abs(rendered.duration - 2) < 0.05);
    const { streams } = await describeFile(output);
    assert.deepEqual([streams[0]?.width, streams[0]?.height], [180, 320]);
    const made = (await readdir(directory.path)).filter((name) => !before.includes(name));
    assert.deepEqual(made, ['out.mp4']);
  });
});

test('names in an address become no names of files', async () => {
  const kept = await temporaryDirectory();
  try {
    const options = {
      directory: kept.path,
      allowPrivate: true,
      signal: new AbortController().signal,
    };
    const mark = await fetchWatermark(server.url(`/${named}.png`), options);
    assert.equal(basename(mark), 'watermark.png');
    const source = await downloadSource(server.url(`/${named}.mp4`), {
      ...options,
      maxSeconds: 60,
    });
    assert.equal(basename(source.path), 'source');
    for (const entry of await readdir(kept.path)) assert.match(entry, /^[a-z]+(\.[a-z]+)?$/);
  } finally {
    await kept.remove();
  }
});
