import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { baseLanguage } from '../language-code.ts';
import { callJson, RemoteError } from '../../remote/remote-call.ts';
import { endpoint } from '../../remote/remote-url.ts';
import type { Cue } from '../subtitles.ts';
import { writeSound } from './sound-piece.ts';
import { readSpeechAnswer } from './speech-answer.ts';
import { joinCues, ownCues, speechPieces, type Piece } from './speech-pieces.ts';
import type { Heard, SpeechJob, Transcriber } from './transcriber.ts';

export interface SpeechServer {
  /** Base address, as in `https://host/v1`; or that of the transcriptions themselves. */
  url: string;
  apiKey?: string | undefined;
  /** Name of the model; `whisper-1` where left out. */
  model?: string | undefined;
  /** Longest piece that is sent, in seconds; 580 where left out. */
  longestPiece?: number;
  /** Milliseconds for a piece; two minutes and three times its length where left out. */
  timeoutMs?: number;
}

/** A shorter piece is not parted again when a server says that it is too large. */
const shortestPiece = 20;

async function form(server: SpeechServer, job: SpeechJob, sound: Buffer) {
  const data = new FormData();
  data.set('file', new Blob([new Uint8Array(sound)], { type: 'audio/flac' }), 'speech.flac');
  data.set('model', server.model ?? 'whisper-1');
  data.set('response_format', 'verbose_json');
  data.append('timestamp_granularities[]', 'word');
  data.append('timestamp_granularities[]', 'segment');
  if (job.language) data.set('language', baseLanguage(job.language));
  if (job.context) data.set('prompt', job.context);
  const encoded = new Response(data);
  const type = encoded.headers.get('content-type') ?? 'multipart/form-data';
  return { type, bytes: Buffer.from(await encoded.arrayBuffer()) };
}

async function askAbout(
  server: SpeechServer,
  job: SpeechJob,
  piece: Piece,
  directory: string,
): Promise<Heard> {
  const path = join(directory, 'speech.flac');
  await writeSound(job.path, piece, path, job.signal);
  const body = await form(server, job, await readFile(path));
  const ask = () =>
    callJson(
      { name: 'speech server', settings: 'SPEECH', apiKey: server.apiKey },
      {
        url: endpoint(server.url, '/audio/transcriptions'),
        bearer: true,
        body,
        signal: job.signal,
        timeoutMs: server.timeoutMs ?? 120_000 + (piece.end - piece.start) * 3000,
      },
    );
  const answer = await (job.elsewhere ? job.elsewhere(ask) : ask());
  const heard = readSpeechAnswer(answer);
  if (heard) return heard;
  throw new RemoteError(
    'bad-answer',
    'The speech server gave no times with its words: SPEECH_URL and SPEECH_MODEL must name one that knows ' +
      'response_format=verbose_json.',
  );
}

/** The language that most of the speech is in. */
function mostHeard(seconds: ReadonlyMap<string, number>): string | null {
  return [...seconds].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? null;
}

async function transcribeWith(server: SpeechServer, job: SpeechJob): Promise<Heard | null> {
  if (!job.hasAudio) return null;
  const directory = await mkdtemp(join(job.workDirectory ?? tmpdir(), 'clip-speech-'));
  const languages = new Map<string, number>();
  let longest = server.longestPiece ?? 580;
  let cues: Cue[] = [];
  let at = 0;
  let heardTo = 0;
  try {
    for (;;) {
      const rest = { start: at, end: job.duration };
      const [piece] = speechPieces(rest, job.silences, longest);
      if (!piece) break;
      let heard: Heard;
      try {
        // A piece that follows another without a silence hears as much of that one's end as that heard of this.
        const reach = piece.from === at ? Math.min(heardTo - at, at) : 0;
        const wider = { ...piece, start: piece.from - Math.max(0, reach) };
        heard = await askAbout(server, job, wider, directory);
        cues = joinCues(cues, ownCues(wider, heard.cues));
      } catch (error) {
        const length = piece.end - piece.start;
        const large = error instanceof RemoteError && error.fault === 'too-large';
        if (!large || length <= shortestPiece) throw error;
        longest = Math.max(shortestPiece, length / 2);
        continue;
      }
      if (heard.language) {
        const before = languages.get(heard.language) ?? 0;
        languages.set(heard.language, before + piece.to - piece.from);
      }
      at = piece.to;
      heardTo = piece.end;
      job.onProgress(Math.min(1, at / job.duration));
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
  return { language: mostHeard(languages) ?? job.language, cues };
}

/** Words from an OpenAI-compatible speech server. The sound is sent in pieces of under ten minutes. */
export const speechServer = (server: SpeechServer): Transcriber => ({
  name: 'speech-server',
  transcribe: (job) => transcribeWith(server, job),
});
