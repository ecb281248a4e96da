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
/** Seconds of sound that are recognised at once. */
const longestPiece = 120;
/** Seconds of sound that are listened to before it is decided whether they are English. */
const trial = 60;

/** Whether the recogniser is there; its English model comes in a package of its own. */
export const pocketsphinxIsThere = (): boolean => findProgram(program) !== null;

async function recognise(job: SpeechJob, assume: boolean): Promise<Heard | null> {
  const told = job.language === null ? null : baseLanguage(job.language);
  const wanted = told === 'en' || (told === null && assume);
  if (!job.hasAudio || !wanted || !pocketsphinxIsThere()) return null;
  const directory = await mkdtemp(join(job.workDirectory ?? tmpdir(), 'clip-speech-'));
  const path = join(directory, 'speech.wav');
  const tried: SphinxWord[][] = [];
  let tested = 0;
  let cues: Cue[] = [];
  try {
    const pieces = speechPieces({ start: 0, end: job.duration }, job.silences, longestPiece);
    for (const piece of pieces) {
      await writeSound(job.path, piece, path, job.signal);
      const { stdout } = await run(
        program,
        ['-infile', path, '-time', 'yes', '-logfn', '/dev/null'],
        { signal: job.signal, deadlineSeconds: 60 + 4 * (piece.end - piece.start) },
      );
      const utterances = readSphinxLines(stdout);
      if (told === null && tested < trial) {
        tried.push(...utterances);
        tested += outside({ start: piece.from, end: piece.to }, job.silences).reduce(
          (sum, { start, end }) => sum + end - start,
          0,
        );
        const enough = tested >= trial || piece === pieces.at(-1);
        if (enough && !soundsEnglish(tried, tested)) return null;
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
 * Words of English speech by PocketSphinx, on this machine and without a network: where the request says that it is
 * English. With `assume` also where it does not say what it is; then what is plainly no English in its first minute gives
 * nothing. That test finds music and most other languages out, but not all of them.
 */
export const pocketsphinx = ({ assume }: { assume: boolean }): Transcriber => ({
  name: 'pocketsphinx',
  transcribe: (job) => recognise(job, assume),
});
