import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram, run } from '../../program/ffmpeg-process.ts';
import { baseLanguage } from '../language-code.ts';
import type { Cue } from '../subtitles.ts';
import { outside } from '../../spans.ts';
import {
  readSphinxLines,
  soundsEnglish,
  sphinxCues,
  type SphinxWord,
} from './pocketsphinx-lines.ts';
import { writeSound } from './sound-piece.ts';
import { joinCues, ownCues, speechPieces } from './speech-pieces.ts';
import type { Heard, SpeechJob, Transcriber } from './transcriber.ts';

const program = 'pocketsphinx_continuous';
/** Sound is recognised in pieces of at most this length. */
const maxPieceSeconds = 120;
/** The first part of the speech, which decides whether it is English. */
const trialSeconds = 60;

/** Whether the recogniser is installed. Its English model is in a separate package. */
export const pocketsphinxIsThere = (): boolean => findProgram(program) !== null;

async function recognise(job: SpeechJob, assume: boolean): Promise<Heard | null> {
  const stated = job.language === null ? null : baseLanguage(job.language);
  const suits = stated === 'en' || (stated === null && assume);
  if (!job.hasAudio || !suits || !pocketsphinxIsThere()) return null;
  const directory = await mkdtemp(join(job.workDirectory ?? tmpdir(), 'clip-speech-'));
  const path = join(directory, 'speech.wav');
  const tried: SphinxWord[][] = [];
  let heardSeconds = 0;
  let cues: Cue[] = [];
  try {
    const pieces = speechPieces({ start: 0, end: job.duration }, job.silences, maxPieceSeconds);
    for (const piece of pieces) {
      await writeSound(job.path, piece, path, job.signal);
      const { stdout } = await run(
        program,
        ['-infile', path, '-time', 'yes', '-logfn', '/dev/null'],
        { signal: job.signal, deadlineSeconds: 60 + 4 * (piece.end - piece.start) },
      );
      const utterances = readSphinxLines(stdout);
      if (stated === null && heardSeconds < trialSeconds) {
        tried.push(...utterances);
        heardSeconds += outside({ start: piece.from, end: piece.to }, job.silences).reduce(
          (sum, { start, end }) => sum + end - start,
          0,
        );
        const enough = heardSeconds >= trialSeconds || piece === pieces.at(-1);
        if (enough && !soundsEnglish(tried, heardSeconds)) return null;
      }
      cues = joinCues(cues, ownCues(piece, sphinxCues(utterances)));
      job.onProgress(Math.min(1, piece.to / job.duration));
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
  return { language: job.language ?? 'en', cues };
}

/**
 * Transcribes English speech with PocketSphinx, on this machine and without a network. Only used if
 * the request says that the speech is English.
 * @param options.assume also use it if the request names no language. Speech whose first minute
 * does not sound like English gives no words then. This test detects music and most other
 * languages, but not all.
 */
export const pocketsphinx = ({ assume }: { assume: boolean }): Transcriber => ({
  name: 'pocketsphinx',
  transcribe: (job) => recognise(job, assume),
});
