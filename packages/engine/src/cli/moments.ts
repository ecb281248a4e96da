import { pickCandidatesAsync } from '../moments/candidates.ts';
import type { Analysis } from '../facts.ts';
import { parseLanguage } from '../words/language-code.ts';
import { parseSubtitles } from '../words/subtitles.ts';
import { detectSubtitleLanguage, readSubtitleText } from '../words/subtitle-text.ts';
import { makeTranscript } from '../words/transcript.ts';
import { formatClock, CommandError, formatTable, type Terminal } from './terminal.ts';
import type { readMoments } from './options.ts';

/** An analysis from subtitles only, without sound and picture. */
async function analyseSubtitles(path: string, stated: string | null): Promise<Analysis> {
  const text = await readSubtitleText(path, stated);
  const cues = await parseSubtitles(text, stated);
  const language = stated ?? (await detectSubtitleLanguage(text, cues));
  const duration = cues.at(-1)?.end ?? 0;
  return {
    duration,
    media: {
      duration,
      width: 1920,
      height: 1080,
      frameRate: 30,
      hasAudio: false,
      videoCodec: 'none',
      audioCodec: null,
    },
    silences: [],
    cuts: [],
    loudness: { step: 0.5, values: [] },
    focus: [],
    transcript: makeTranscript(cues, { silences: [], duration, language }),
  };
}

/** `clip-engine moments`: the best moments of a subtitle file. */
export async function runMoments(
  { input, options }: ReturnType<typeof readMoments>,
  { out, signal }: Terminal,
): Promise<void> {
  const { count, min, max, target, topics, json } = options;
  const language = parseLanguage(options.language);
  const analysis = await analyseSubtitles(input, language);
  if (!analysis.transcript) {
    throw new CommandError(
      `${input} has no words in it. Give a subtitle file in WebVTT (.vtt) or SubRip (.srt) format.`,
    );
  }
  const momentOptions = { count, min, max, target, topics, language: language ?? undefined };
  const found = await pickCandidatesAsync(analysis, momentOptions, signal);
  if (json) {
    const list = found.map(({ start, end, score, title, explanation, post }) => ({
      start,
      end,
      score,
      title,
      explanation,
      ...post,
    }));
    out(`${JSON.stringify(list, null, 2)}\n`);
    return;
  }
  if (found.length === 0 && topics) {
    throw new CommandError('Nothing is about these topics for long enough. Use others.');
  }
  if (found.length === 0)
    throw new CommandError('No part of the subtitles is long enough. Use a smaller --min.');
  const rows = found.map(({ start, end, score, title }) => [
    score.toFixed(2),
    formatClock(start),
    formatClock(end - start),
    title,
  ]);
  out(formatTable(['score', 'start', 'length', 'title'], rows));
}
