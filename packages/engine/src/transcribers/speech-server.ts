import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getBaseLanguage } from '../words/language-code.ts';
import { callJson, makeEndpoint, RemoteError } from '../remote/remote-call.ts';
import {
  joinCues,
  keepOwnCues,
  type SpeechSegment,
  snapCues,
  splitSpeech,
  writeSound,
} from './speech-segments.ts';
import type { Cue } from '../words/subtitles.ts';
import { readSpeechAnswer } from './speech-answer.ts';
import type { Transcription, SpeechJob, Transcriber } from './transcriber.ts';

export interface SpeechServer {
  /** Base address, such as `https://host/v1`, or the address of the transcriptions endpoint. */
  url: string;
  apiKey?: string | undefined;
  /**
   * Name of the model.
   * @default 'whisper-1'
   */
  model?: string | undefined;
  /**
   * Maximum length of the sound in one request, in seconds.
   * @default 580
   */
  maxSegmentSeconds?: number;
  /**
   * Maximum time for one request. If omitted, two minutes and three times the length of the sound.
   */
  timeoutMs?: number;
}

/** A shorter segment is not split again if a server reports that it is too large. */
const minSegmentSeconds = 20;

async function makeForm(server: SpeechServer, job: SpeechJob, sound: Buffer) {
  const data = new FormData();
  data.set('file', new Blob([new Uint8Array(sound)], { type: 'audio/flac' }), 'speech.flac');
  data.set('model', server.model ?? 'whisper-1');
  data.set('response_format', 'verbose_json');
  data.append('timestamp_granularities[]', 'word');
  data.append('timestamp_granularities[]', 'segment');
  if (job.language) data.set('language', getBaseLanguage(job.language));
  if (job.context) data.set('prompt', job.context);
  const encoded = new Response(data);
  const type = encoded.headers.get('content-type') ?? 'multipart/form-data';
  return { type, bytes: Buffer.from(await encoded.arrayBuffer()) };
}

async function askAbout(
  server: SpeechServer,
  job: SpeechJob,
  segment: SpeechSegment,
  directory: string,
): Promise<Transcription> {
  const path = join(directory, 'speech.flac');
  await writeSound(job, segment, path, job.signal);
  const body = await makeForm(server, job, await readFile(path));
  const answer = await callJson(
    { name: 'speech server', settings: 'SPEECH', apiKey: server.apiKey },
    {
      url: makeEndpoint(server.url, '/audio/transcriptions'),
      bearer: true,
      body,
      signal: job.signal,
      timeoutMs: server.timeoutMs ?? 120_000 + (segment.end - segment.start) * 3000,
    },
  );
  const transcription = readSpeechAnswer(answer);
  if (transcription) return transcription;
  throw new RemoteError(
    'bad-answer',
    'The speech server answered without times for its words. Set SPEECH_URL and SPEECH_MODEL to a server that supports ' +
      'response_format=verbose_json.',
  );
}

/** The language of most of the speech. */
function findMostHeard(seconds: ReadonlyMap<string, number>): string | null {
  return [...seconds].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? null;
}

async function transcribeWith(server: SpeechServer, job: SpeechJob): Promise<Transcription | null> {
  if (!job.hasAudio) return null;
  const directory = await mkdtemp(join(job.workDirectory ?? tmpdir(), 'clip-speech-'));
  const languages = new Map<string, number>();
  let maxSeconds = server.maxSegmentSeconds ?? 580;
  let cues: Cue[] = [];
  let at = 0;
  let heardTo = 0;
  try {
    for (;;) {
      const rest = { start: at, end: job.duration };
      const [segment] = splitSpeech(rest, job.silences, maxSeconds);
      if (!segment) break;
      let transcription: Transcription;
      try {
        // Without a silence between them, two segments overlap by the same length on both sides.
        const reach = segment.from === at ? Math.min(heardTo - at, at) : 0;
        const wider = { ...segment, start: segment.from - Math.max(0, reach) };
        transcription = await askAbout(server, job, wider, directory);
        const snapped = snapCues(transcription.cues, wider.start, job.silences);
        cues = joinCues(cues, keepOwnCues(wider, snapped));
      } catch (error) {
        const length = segment.end - segment.start;
        const large = error instanceof RemoteError && error.fault === 'too-large';
        if (!large || length <= minSegmentSeconds) throw error;
        maxSeconds = Math.max(minSegmentSeconds, length / 2);
        continue;
      }
      if (transcription.language) {
        const before = languages.get(transcription.language) ?? 0;
        languages.set(transcription.language, before + segment.to - segment.from);
      }
      at = segment.to;
      heardTo = segment.end;
      job.onProgress(Math.min(1, at / job.duration));
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
  return { language: findMostHeard(languages) ?? job.language, cues };
}

/**
 * Transcribes with an OpenAI-compatible speech server. The sound is sent in segments of less than
 * ten minutes. `transcribe` throws {@link RemoteError}.
 */
export const createSpeechServer = (server: SpeechServer): Transcriber => ({
  name: 'speech-server',
  transcribe: (job) => transcribeWith(server, job),
});
