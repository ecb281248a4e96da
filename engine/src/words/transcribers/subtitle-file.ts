import { readFile } from 'node:fs/promises';
import { parseSubtitles } from '../subtitles.ts';
import type { Transcriber } from './transcriber.ts';

/** Reads the words from subtitles beside the source or inside it. */
export const subtitleFile: Transcriber = {
  name: 'subtitles',
  async transcribe({ subtitles, language }) {
    if (subtitles === null) return null;
    return { language, cues: await parseSubtitles(await readFile(subtitles, 'utf8')) };
  },
};
