import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { runCommandLine } from '../../src/cli/main.ts';
import type { Edit } from '../../src/edit.ts';
import { describeFile, ffmpeg, makeVideo, temporaryDirectory } from 'clip-testkit/media-footage';

const directory = await temporaryDirectory();
after(() => directory.remove());
const at = (name: string) => join(directory.path, name);

/** Runs a command line, and returns its output. */
async function run(
  args: string[],
  more: { environment?: Record<string, string>; signal?: AbortSignal; terminal?: boolean } = {},
) {
  let out = '';
  let error = '';
  const code = await runCommandLine(args, {
    out: (text) => (out += text),
    error: (text) => (error += text),
    terminal: more.terminal ?? false,
    environment: more.environment ?? { SPEECH_MODEL: 'off' },
    signal: more.signal ?? new AbortController().signal,
  });
  return { code, out, error };
}

const talk = `WEBVTT

00:00.000 --> 00:04.000
Why do bees dance in the dark?

00:04.200 --> 00:08.000
They tell each other where 12 flowers are.

00:08.500 --> 00:12.000
Nobody believed it for 20 years.

00:14.000 --> 00:18.000
And now we know that it is true.
`;

test('help names every command and every option; no arguments are wrong usage', async () => {
  const { code, out } = await run(['--help']);
  assert.equal(code, 0);
  const { cutFields, wordFields } = await import('../../src/cli/options.ts');
  for (const option of Object.keys({ ...cutFields, ...wordFields }))
    assert.match(out, new RegExp(`--${option}\\b`));
  const nothing = await run([]);
  assert.equal(nothing.code, 2);
  assert.match(nothing.error, /Usage/);
});

test('the version is that of the package', async () => {
  for (const command of ['version', '--version']) {
    assert.match((await run([command])).out, /^clip-engine \d+\.\d+\.\d+\n$/);
  }
});

test('wrong usage names all errors at once, with exit code 2', async () => {
  const faults = await run(['cut', 'a.mp4', '--width', '5', '--count', 'x', '--language', '?']);
  assert.equal(faults.code, 2);
  assert.match(faults.error, /--width must be 16 to 4096\.\n/);
  assert.match(faults.error, /--count must be a number\.\n/);
  assert.match(faults.error, /--language must be a language code/);
  for (const args of [
    ['cut'],
    ['cut', 'a.mp4', 'b.mp4'],
    ['cut', 'a.mp4', '--bogus'],
    ['cut', 'a.mp4', '--min', '20', '--max', '10'],
    ['cut', 'a.mp4', '--from', '20', '--to', '20.5'],
    ['moments', 'a.vtt', '--topics', ' , '],
    ['paint', 'a.mp4'],
  ]) {
    assert.equal((await run(args)).code, 2, args.join(' '));
  }
});

test('an invalid server setting is refused before any work, and its key is not shown', async () => {
  const { code, error } = await run(['cut', at('none.mp4')], {
    environment: { SPEECH_URL: 'ftp://a.example/', SPEECH_API_KEY: 'secret-key' },
  });
  assert.equal(code, 2);
  assert.match(error, /SPEECH_URL/);
  assert.doesNotMatch(error, /secret-key/);
});

test('a file that is not a video, is missing or is a folder is an error that says so', async () => {
  await writeFile(at('page.mp4'), '<!doctype html><title>Sign in</title>');
  const page = await run(['probe', at('page.mp4')]);
  assert.deepEqual([page.code, page.out], [1, '']);
  assert.match(page.error, /web page/);
  const none = await run(['probe', at('none.mp4')]);
  assert.equal(none.code, 1);
  assert.match(none.error, /none\.mp4 does not exist\.\n$/);
  assert.match((await run(['probe', directory.path])).error, /is a folder, not a file/);
});

describe('moments', () => {
  before(() => writeFile(at('talk.vtt'), talk));
  const options = ['--count', '2', '--min', '3', '--max', '9', '--target', '6'];

  test('are listed as JSON, in seconds, best first', async () => {
    const { code, out } = await run(['moments', at('talk.vtt'), '--json', ...options]);
    assert.equal(code, 0);
    const found = JSON.parse(out) as Record<string, number & string>[];
    assert.ok(found.length > 0 && found.length <= 2);
    for (const one of found) {
      assert.deepEqual(Object.keys(one), [
        ...['start', 'end', 'score', 'title', 'explanation', 'titles', 'description', 'tags'],
      ]);
      assert.ok(one['end']! - one['start']! >= 3 && one['end']! - one['start']! <= 9);
      assert.ok(one['start']! >= 0 && one['end']! <= 18.5);
    }
    assert.ok(found.every(({ score }, index) => !index || score! <= found[index - 1]!['score']!));
  });

  test('are listed as a table', async () => {
    const { out } = await run(['moments', at('talk.vtt'), ...options]);
    const [head, first] = out.split('\n');
    assert.match(head!, /^score {2}start {2}length {2}title$/);
    assert.match(first!, /^ 0\.\d\d {3}0:\d\d {4}0:0\d {2}\S/);
  });

  test('of a file without words are an error', async () => {
    await writeFile(at('empty.srt'), 'nothing');
    const { code, error } = await run(['moments', at('empty.srt')]);
    assert.equal(code, 1);
    assert.match(error, /has no words in it/);
  });
});

describe('cut', () => {
  const video = at('-talk.mp4');
  const small = ['--count', '1', '--min', '3', '--max', '9', '--target', '6'];
  const size = ['--width', '108', '--height', '192', '--no-faces'];
  /** Of the video's shape: no window follows its subject. */
  const sameShape = ['--width', '96', '--height', '54', '--no-faces'];
  const plain = at('plain.mp4');
  before(async () => {
    await makeVideo(video, { seconds: 19, rate: '10' });
    await makeVideo(plain, { seconds: 8, rate: '10' });
    await writeFile(at('-talk.vtt'), talk);
  });

  test('renders clips into a new folder, and lists them with their files', async () => {
    const out = at('shorts/first');
    const made = await run(['cut', ...small, ...size, '--out', out, '--json', '--', video]);
    assert.equal(made.code, 0, made.error);
    const [clip] = JSON.parse(made.out) as [Record<string, unknown>];
    assert.match(String(clip['file']), /01-[\p{L}\d-]+\.mp4$/u);
    assert.deepEqual(await readdir(out), [String(clip['file']).slice(out.length + 1)]);
    const { streams } = await describeFile(String(clip['file']));
    const picture = streams.find(({ codec_type }) => codec_type === 'video');
    assert.deepEqual([picture?.width, picture?.height], [108, 192]);
    assert.equal((clip['titles'] as string[])[0], clip['title']);
    assert.ok(talk.includes(String(clip['title']).replace(/[“”…]/gu, '')));
    assert.equal((await readFile(String(clip['file']))).length, clip['bytes']);
    assert.ok(Math.abs(Number(picture?.duration) - Number(clip['duration'])) < 0.1);
    assert.match(made.error, /^Analysing the video …\n/);
    assert.match(made.error, /Clip 1 of 1 …\n/);
  });

  test('overwrites nothing, and shows one line that changes in a terminal', async () => {
    const again = ['cut', ...small, ...sameShape, '--out', at('shorts/first'), '--', video];
    const { error } = await run(again, { terminal: true });
    const files = (await readdir(at('shorts/first'))).sort();
    assert.equal(files.length, 2);
    assert.match(files.join(), / \(2\)\.mp4/);
    assert.match(error, /\r\u001b\[KClip 1 of 1 █+░* \d+ %/);
    assert.ok(error.endsWith('\r\u001b[K'));
    assert.doesNotMatch(error, /\n/);
  });

  test('of the whole video, with a watermark from a file, is one file and a table without a score', async () => {
    await ffmpeg(['-f', 'lavfi', '-i', 'color=red:size=20x20', '-frames:v', '1', at('mark.png')]);
    const out = at('whole');
    const mark = ['--watermark', at('mark.png'), '--watermark-x', '0', '--no-captions'];
    // prettier-ignore
    const made = await run([
      'cut', '--whole', ...mark, ...sameShape, '--out', out, '--name', 'All', plain,
    ]);
    assert.equal(made.code, 0, made.error);
    assert.deepEqual(await readdir(out), ['01-all.mp4']);
    assert.match(made.out, /^score {2}title {2}length {2}file\n {7}All +0:08 {2}\S+01-all\.mp4\n$/);
  });

  test('renders an edit that a person keeps and corrects', async () => {
    const out = at('edited');
    const first = await run(['cut', ...small, ...size, '--files', '--out', out, '--', video]);
    assert.equal(first.code, 0, first.error);
    const names = (await readdir(out)).sort();
    const stem = names[0]!.replace(/\..*/, '');
    assert.deepEqual(
      names.map((name) => name.slice(stem.length)),
      [
        ...['.captions.srt', '.captions.vtt', '.edit.fcpxml', '.edit.json', '.edit.otio', '.mp4'],
        ...['.transcript.txt', '.words.json'],
      ],
    );
    const kept = join(out, `${stem}.edit.json`);
    const edit = JSON.parse(await readFile(kept, 'utf8'));
    const text = edit.captions[0].words[0].text as string;
    edit.captions[0].words[0].text = 'Corrected';
    edit.title = null;
    await writeFile(kept, JSON.stringify(edit));
    const again = ['--edit', kept, '--name', 'Again', '--files', '--json'];
    const made = await run(['cut', ...again, '--out', at('again'), '--', video]);
    assert.equal(made.code, 0, made.error);
    const [clip] = JSON.parse(made.out) as [Record<string, unknown>];
    const { duration, start, width, score } = clip;
    assert.deepEqual(
      [duration, start, width, score],
      [edit.duration, edit.ranges[0].start, 108, null],
    );
    const words = await readFile(at('again/01-again.transcript.txt'), 'utf8');
    assert.match(words, /Corrected/);
    assert.ok(!words.startsWith(text));
  });

  test('renders its own edit of a video with black bars, whose file has a time code', async () => {
    const barred = at('barred.mov');
    const bars = ['-vf', 'pad=iw:ih*4/3:0:(oh-ih)/2', '-r', '25', '-timecode', '01:00:00:00'];
    await ffmpeg(['-i', plain, ...bars, '-preset', 'ultrafast', '-c:a', 'copy', barred]);
    const out = at('bars');
    const first = await run(['cut', ...small, ...size, '--files', '--out', out, '--', barred]);
    assert.equal(first.code, 0, first.error);
    const names = await readdir(out);
    const kept = join(
      out,
      names.find((name) => name.endsWith('.edit.json'))!,
    );
    const { source } = JSON.parse(await readFile(kept, 'utf8')) as Edit;
    assert.ok(source.content, 'the bars are known');
    const made = await run(['cut', '--edit', kept, '--out', at('bars-again'), '--', barred]);
    assert.equal(made.code, 0, made.error);
    const project = join(
      out,
      names.find((name) => name.endsWith('.edit.fcpxml'))!,
    );
    const text = await readFile(project, 'utf8');
    const { streams } = await describeFile(barred);
    const picture = streams.find(({ codec_type }) => codec_type === 'video')!;
    assert.ok(text.includes(`width="${picture.width}" height="${picture.height}"`));
    assert.match(text, / start="90000\/25s" duration="200\/25s" /);
  });

  test('names the length of a video that is too short for what was asked', async () => {
    const short = at('short.mp4');
    await makeVideo(short, { seconds: 0.3, rate: '10' });
    const reason = async (...more: string[]) =>
      (await run(['cut', short, ...size, '--out', at('short'), ...more])).error.trim();
    assert.equal(
      await reason(),
      'The video lasts 0.3 s, and a clip at least 8 s. Use a longer video, a smaller --min, or --whole.',
    );
    assert.equal(
      await reason('--from', '2', '--to', '4'),
      'The video lasts 0.3 s, and --from leaves less than a second of it.',
    );
    assert.equal((await run(['cut', short, ...size, '--whole', '--out', at('short')])).code, 0);
  });

  test('says that the end of a recording is missing', async () => {
    await ffmpeg(['-i', video, '-c', 'copy', '-movflags', '+faststart', at('front.mp4')]);
    const bytes = await readFile(at('front.mp4'));
    await writeFile(at('cut-off.mp4'), bytes.subarray(0, 0.8 * bytes.length));
    const options = [...small, ...sameShape, '--no-captions', '--no-intro-title'];
    const made = await run(['cut', ...options, '--out', at('ended'), at('cut-off.mp4')]);
    assert.equal(made.code, 0, made.error);
    assert.match(made.error, /^Note: The recording ends early: after 1\d s, /m);
  });

  test('refuses an edit that it cannot render, with every reason', async () => {
    const [stem] = (await readdir(at('edited'))).filter((name) => name.endsWith('.edit.json'));
    const kept = at(`edited/${stem}`);
    const edit = JSON.parse(await readFile(kept, 'utf8'));
    const refusal = async (changed: unknown, input = video, more: string[] = []) => {
      await writeFile(
        at('bad.json'),
        typeof changed === 'string' ? changed : JSON.stringify(changed),
      );
      const { code, error } = await run([
        ...['cut', '--edit', at('bad.json'), ...more, '--out', at('none'), '--', input],
      ]);
      return `${code} ${error}`;
    };
    assert.match(await refusal('{'), /^1 .*bad\.json is not JSON\./s);
    const faulty = { ...edit, version: 2, duration: -1 };
    assert.match(await refusal(faulty), /^1 .*not an edit.*\nversion: .*\nduration: /s);
    const other = { ...edit, source: { ...edit.source, width: 640 } };
    assert.match(
      await refusal(other),
      /^1 .*does not fit the video\. It was made for a video of 640x/s,
    );
    assert.match(
      await refusal({ ...edit, ranges: [{ start: 30, end: 33 }] }),
      /^1 .*until second [\d.]+, and this one ends at/s,
    );
    const window = { mode: 'crop', x: 900, y: 0, width: 50, height: 50 };
    assert.match(await refusal({ ...edit, framing: window }), /^1 .*are not in the picture/s);
    assert.match(
      await refusal(edit, video, ['--count', '2', '--whole']),
      /^2 .*Leave out --count, --whole\./s,
    );
  });

  test('shows no words of a recogniser that happens to be installed', async () => {
    const programs = at('programs');
    await mkdir(programs);
    const said = ['<s> 0.0 0.1 1', "what's 0.2 0.6 0.9", 'the 0.6 0.8 0.9', 'deal 0.8 1.5 0.9'];
    const script = `#!/bin/sh\nprintf '%s\\n' ${said.map((line) => `"${line}"`).join(' ')}\n`;
    await writeFile(join(programs, 'pocketsphinx_continuous'), script, { mode: 0o755 });
    const path = process.env['PATH'];
    process.env['PATH'] = `${programs}:${path}`;
    try {
      const options = [...small, ...sameShape, '--language', 'en', '--out', at('plain'), '--json'];
      const made = await run(['cut', ...options, plain]);
      assert.equal(made.code, 0, made.error);
      assert.match(made.out, /"title": "Clip at 0:0\d"/);
      assert.doesNotMatch(made.out, /deal/i);
    } finally {
      process.env['PATH'] = path;
    }
  });

  test('names every fault at once, before the video is scanned', async () => {
    const long = at('long.mp4');
    await makeVideo(long, { seconds: 901, rate: '1' });
    // prettier-ignore
    const { code, error } = await run([
      'cut', ...size, '--preset', 'none', '--watermark', at('-talk.vtt'), '--translate-to', 'de',
      '--whole', '--out', at('-talk.vtt'), '--', long,
    ]);
    assert.equal(code, 1);
    assert.doesNotMatch(error, /Looking/);
    for (const fault of [
      /^There is no style preset "none"\. Use one of .*classic/m,
      /^.*not an image/m,
      /^--translate-to needs .* Set TRANSLATE_URL/m,
      /^The video is 15:01 long\. With --whole, the limit is 15:00\./m,
      /^The clips cannot be written to .*talk\.vtt\. It is a file, not a folder\./m,
    ]) {
      assert.match(error, fault);
    }
    const usage = await run(['cut', ...size, '--preset', 'none', '--', video]);
    assert.equal(usage.code, 2);
    assert.match(usage.error, /See clip-engine --help\.\n$/);
  });

  test('says at once that a folder takes no files', async () => {
    for (const folder of ['/proc/clips', '/proc/self/clips']) {
      const { code, error } = await run(['cut', ...small, '--out', folder, '--', video]);
      assert.equal(code, 1);
      assert.match(
        error,
        /^The clips cannot be written to \/proc.* Name another folder with --out\./,
      );
    }
  });

  test('stops when it is interrupted, and leaves no half file', async () => {
    const interrupt = new AbortController();
    let error = '';
    const code = await runCommandLine(['cut', ...size, '--out', at('stopped'), '--', video], {
      out: () => {},
      error: (text) => {
        error += text;
        if (text.startsWith('Clip 1')) interrupt.abort();
      },
      terminal: false,
      environment: { SPEECH_MODEL: 'off' },
      signal: interrupt.signal,
    });
    assert.equal(code, 130);
    assert.match(error, /Interrupted\./);
    assert.deepEqual(await readdir(at('stopped')), []);
  });
});
