import { parseSubtitles } from '../words/subtitles.ts';
import { subtitleLanguage, subtitleText } from '../words/subtitle-text.ts';
import type { Transcriber } from './transcriber.ts';

/** Reads the words from subtitles beside the source or inside it. */
export const subtitleFile: Transcriber = {
  name: 'subtitles',
  async transcribe({ subtitles, language }) {
    if (subtitles === null) return null;
    const text = await subtitleText(subtitles);
    const cues = await parseSubtitles(text);
    return { language: language ?? (await subtitleLanguage(text, cues)), cues };
  },
};
