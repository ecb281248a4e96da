import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { analyse } from '../../src/scan/analyse.ts';
import { pickCandidates } from '../../src/moments/candidates.ts';
import { editShort } from '../../src/editing/make-edit.ts';
import { mediaInfoOf, probe } from '../../src/source/probe.ts';
import {
  meanConfidence,
  readSphinxLines,
  soundsEnglish,
  sphinxCues,
} from '../../src/words/transcribers/pocketsphinx-lines.ts';
import { pocketsphinx, pocketsphinxIsThere } from '../../src/words/transcribers/pocketsphinx.ts';
import { subtitleFile } from '../../src/words/transcribers/subtitle-file.ts';
import {
  transcribe,
  type Heard,
  type SpeechJob,
} from '../../src/words/transcribers/transcriber.ts';
import { ffmpeg, temporaryDirectory } from '../support/media-footage.ts';

const written = `why do i stop
<s> 0.110 0.180 1.000100
why 0.190 0.420 0.522738
do(2) 0.430 0.630 0.849660
i 0.640 0.700 0.521745
uh 0.700 0.720 0.000113
[SPEECH] 0.720 0.800 0.300000
stop 0.960 1.320 0.999900
</s> 1.330 1.400 1.000000
go
<s> 5.740 5.820 0.999900
go 5.830 5.920 0.949798
<sil> 5.930 6.000 0.900000
`;

describe('what PocketSphinx writes', () => {
  it('is read as words with times, without marks of noise and pronunciation', () => {
    const utterances = readSphinxLines(written);
    assert.deepEqual(
      utterances.map((words) => words.map(({ text }) => text)),
      [['why', 'do', 'i', 'uh', 'stop'], ['go']],
    );
    assert.deepEqual([utterances[1]![0]!.start, utterances[1]![0]!.end], [5.83, 5.92]);
    assert.ok(meanConfidence(utterances) > 0.6 && meanConfidence([]) === 0);
  });

  it('becomes sentences at pauses; what it is unsure of is left out', () => {
    const cues = sphinxCues(readSphinxLines(written));
    assert.deepEqual(
      cues.map(({ words }) => words.map(({ text }) => text).join(' ')),
      ['Why do I stop.', 'Go.'],
    );
    assert.ok(cues.every(({ timed }) => timed));
  });

  it('is taken for English where it is sure enough, and not only now and then', () => {
    const said = (confidence: number) => [
      Array.from({ length: 8 }, (_, at) => ({ text: 'a', start: at, end: at + 0.5, confidence })),
    ];
    assert.ok(soundsEnglish(said(0.6), 4));
    assert.ok(!soundsEnglish(said(0.3), 4));
    assert.ok(!soundsEnglish(said(1), 30), 'a word in noise');
    assert.ok(!soundsEnglish([], 4));
  });

  it('may be nothing', () => assert.deepEqual(sphinxCues(readSphinxLines('')), []));
});

const missing = pocketsphinxIsThere() ? false : 'PocketSphinx is not installed';

describe('PocketSphinx on real speech', { skip: missing }, () => {
  const first = 'Why do most people never finish a race?';
  const second = 'The secret is simple habits.';
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  before(async () => {
    directory = await temporaryDirectory();
    // prettier-ignore
    await ffmpeg([
      '-f', 'lavfi', '-i', `flite=text='${first}':voice=slt`,
      '-f', 'lavfi', '-t', '2', '-i', 'anullsrc=r=16000:cl=mono',
      '-f', 'lavfi', '-i', `flite=text='${second}':voice=slt`,
      '-filter_complex', '[0][1][2]concat=n=3:v=0:a=1', '-c:a', 'flac',
      join(directory.path, 'talk.mkv'),
    ]);
    // prettier-ignore
    await ffmpeg([
      '-f', 'lavfi', '-i', 'sine=f=330:r=16000:d=6.8', '-c:a', 'flac',
      join(directory.path, 'tone.mkv'),
    ]);
  });
  after(() => directory.remove());

  const hear = (
    name: string,
    more: Partial<SpeechJob> = {},
    assume = false,
  ): Promise<Heard | null> =>
    pocketsphinx({ assume }).transcribe({
      path: join(directory.path, name),
      subtitles: null,
      hasAudio: true,
      duration: 6.8,
      silences: [{ start: 2.7, end: 4.6 }],
      language: null,
      context: '',
      signal: new AbortController().signal,
      onProgress: () => {},
      ...more,
    });

  it('hears most words of English, each at its time', async () => {
    const heard = await hear('talk.mkv', { language: 'en-US' });
    assert.equal(heard?.language, 'en-US');
    const words = heard?.cues.flatMap((cue) => cue.words) ?? [];
    const texts = words.map(({ text }) => text.toLowerCase().replace(/\W/g, ''));
    const said = `${first} ${second}`
      .toLowerCase()
      .replace(/[^\w ]/g, '')
      .split(' ');
    const known = said.filter((word) => texts.includes(word));
    assert.ok(known.length / said.length >= 0.75, texts.join(' '));
    const secret = words.find(({ text }) => /secret/i.test(text));
    assert.ok(secret && secret.start > 4.6 && secret.end < 6, JSON.stringify(secret));
    assert.ok(
      words.every(({ end }) => end <= 2.9 || end > 4.6),
      'nothing in the silence',
    );
  });

  it('is not asked where the language is not told, unless that may be assumed', async () => {
    assert.equal(await hear('talk.mkv'), null);
    assert.equal((await hear('talk.mkv', {}, true))?.language, 'en');
  });

  it('gives nothing where what is assumed to be English does not sound like it', async () => {
    assert.equal(await hear('tone.mkv', { silences: [] }, true), null);
  });

  it('is not asked for another language, nor without sound', async () => {
    assert.equal(await hear('talk.mkv', { language: 'de' }, true), null);
    assert.equal(await hear('missing.mkv', { hasAudio: false }, true), null);
  });

  it('ends with the signal', async () => {
    const reason = new Error('stopped');
    await assert.rejects(
      hear('talk.mkv', { language: 'en', signal: AbortSignal.abort(reason) }),
      reason,
    );
  });

  it('gives a video its sentences, its clips their titles, and captions that are on their words', async () => {
    const path = join(directory.path, 'film.mkv');
    // prettier-ignore
    await ffmpeg([
      '-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=12', '-i', join(directory.path, 'talk.mkv'),
      '-shortest', '-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac', path,
    ]);
    const { signal } = new AbortController();
    const media = mediaInfoOf(await probe(path, signal), 6.8)!;
    const source = { path, transcriptPath: null, media, sha256: '', bytes: 0 };
    const analysis = await analyse(source, {
      language: 'en',
      signal,
      transcribe: (job) => transcribe([subtitleFile, pocketsphinx({ assume: false })], job),
    });
    const { transcript } = analysis;
    assert.equal(transcript?.language, 'en');
    assert.equal(transcript?.estimated, undefined);
    assert.equal(transcript?.sentences.length, 2);
    assert.match(transcript?.sentences[1]?.text ?? '', /^The secret\b.*\.$/);
    const clips = pickCandidates(analysis, { count: 2, min: 1, max: 4, target: 3 });
    assert.equal(clips.length, 2);
    const clip = clips.find(({ start }) => start > 3)!;
    assert.match(clip.title, /secret/i);
    const edit = editShort(analysis, clip, {
      editing: {
        captions: true,
        reframe: true,
        emojis: false,
        intro_title: true,
        remove_silences: false,
      },
      dimensions: { width: 90, height: 160 },
    });
    const shown = edit.captions
      .flatMap(({ words }) => words)
      .find(({ text }) => /secret/i.test(text))!;
    const heard = transcript!.words.find(({ text }) => /secret/i.test(text))!;
    assert.ok(Math.abs(shown.start - (heard.start - edit.ranges[0]!.start)) < 0.08);
  });
});
