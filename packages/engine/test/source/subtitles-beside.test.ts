import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { findSubtitlesBeside } from '../../src/source/subtitle-source.ts';
import { subtitleFile } from '../../src/transcribers/transcriber.ts';
import { temporaryDirectory } from 'clip-testkit/media-footage';

const names = [
  ...['talk.srt', 'talk.mp4.vtt', 'talk_de.srt', 'talk.en.ass', 'talk-fr.sbv', 'talk.ttml'],
  ...['talk.txt', 'talk_final.srt', 'talks.srt', 'other.srt'],
];

describe('the subtitle files beside a video', () => {
  const found = async (language?: string): Promise<string[]> => {
    const directory = await temporaryDirectory();
    try {
      for (const name of names) await writeFile(join(directory.path, name), '');
      const paths = await findSubtitlesBeside(join(directory.path, 'talk.mp4'), language);
      return paths.map((path) => basename(path));
    } finally {
      await directory.remove();
    }
  };

  it('are those with its name, first the ones without a language', async () => {
    assert.deepEqual(await found(), [
      ...['talk.mp4.vtt', 'talk.srt', 'talk.ttml'],
      ...['talk_de.srt', 'talk.en.ass', 'talk-fr.sbv'],
    ]);
  });

  it('begin with the wanted language, and have no other', async () => {
    assert.deepEqual(await found('de'), [
      'talk_de.srt',
      ...['talk.mp4.vtt', 'talk.srt', 'talk.ttml'],
    ]);
  });

  it('are named where they have no words', async (t) => {
    const directory = await temporaryDirectory();
    try {
      const path = join(directory.path, 'talk.mp4.srt');
      await writeFile(path, 'nothing here\n');
      const job = {
        ...{ path: '', subtitles: path, hasAudio: true, duration: 9, silences: [] },
        ...{ language: null, context: '', signal: t.signal, onProgress: () => {} },
      };
      await assert.rejects(
        async () => subtitleFile.transcribe(job),
        /^Error: The file has no words .* Use an SRT, WebVTT, ASS, SBV or TTML file\.$/,
      );
    } finally {
      await directory.remove();
    }
  });
});
