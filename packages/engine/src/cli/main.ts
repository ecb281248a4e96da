import { dirname } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { getModelDirectory, namedModels, openModel } from '../transcribers/speech-model.ts';
import { cut } from './cut.ts';
import { runMoments } from './moments.ts';
import { withTemporaryDirectory, openVideo } from './open-video.ts';
import {
  readCut,
  readMoments,
  readProbe,
  readSpeechModel,
  readWords,
  UsageError,
} from './options.ts';
import { explainError } from './reason.ts';
import { showDownload } from './recognition.ts';
import { readRemotes, readSpeechModelOptions } from './remotes.ts';
import { formatClock, ProgressLine, formatTable, type Terminal } from './terminal.ts';
import { runWords } from './words.ts';

async function run(command: string, args: readonly string[], terminal: Terminal): Promise<void> {
  if (command === 'cut') await cut(readCut(args), terminal);
  else if (command === 'moments') await runMoments(readMoments(args), terminal);
  else if (command === 'probe') await describeVideo(readProbe(args), terminal);
  else if (command === 'words') await runWords(readWords(args), terminal);
  else if (command === 'speech-model') await runSpeechModel(readSpeechModel(args), terminal);
  else {
    throw new UsageError(
      `There is no command "${command}". Use cut, moments, words, probe, speech-model or version.`,
    );
  }
}

/** Runs a command line. Returns the exit code: 0 done, 1 failed, 2 wrong usage, 130 interrupted. */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  const [command, ...rest] = args;
  if (args.includes('--help') || args.includes('-h') || command === 'help') {
    terminal.out(help);
    return 0;
  }
  if (command === 'version' || command === '--version') {
    terminal.out(`clip-engine ${manifest.version}\n`);
    return 0;
  }
  if (command === undefined) {
    terminal.error(help);
    return 2;
  }
  try {
    await run(command, rest, terminal);
    return 0;
  } catch (error) {
    if (terminal.signal.aborted) {
      terminal.error('Interrupted. Finished clips are kept.\n');
      return 130;
    }
    const faults: unknown[] = error instanceof AggregateError ? error.errors : [error];
    for (const fault of faults) terminal.error(`${explainError(fault)}\n`);
    if (!faults.every((fault) => fault instanceof UsageError)) return 1;
    terminal.error('See clip-engine --help.\n');
    return 2;
  }
}

/** The output of `clip-engine --help`. */
const help = `clip-engine: short vertical clips from a long video.

Usage
  clip-engine cut VIDEO [options]          find the best clips of a video, and render them
  clip-engine moments SUBTITLES [options]  find the best moments of a WebVTT or SRT file
  clip-engine words VIDEO [options]        write what is said in a video or a sound file
  clip-engine probe VIDEO [--json]         show what a video file contains
  clip-engine speech-model NAME            download a model that recognises speech, such as base
  clip-engine version                      print the version

VIDEO is a file, or the http(s) address of one. cut uses subtitles beside it (same name, .vtt or .srt) or
inside it. Without them, speech is recognised. words recognises it always.

Options of cut and moments
  --count N           number of clips, 1 to 100 (10)
  --min, --max SECONDS  length of a clip, 1 to 120 and 1 to 180 (8, 180)
  --target SECONDS    preferred length of a clip, 1 to 120 (60)
  --language CODE     language of the speech, such as en or pt-BR
  --topics WORDS      only clips about these words or phrases, separated by commas
  --json              print the result as JSON

Options of cut
  --out DIR           folder for the MP4 files; created if needed (clips)
  --from, --to SECONDS  only this part of the video (all of it)
  --whole             one edit of the whole video instead of clips
  --edit FILE         render this edit.json of the video instead of looking for clips
  --files             write the words, captions, edit and cuts beside each clip
  --width, --height PIXELS  size of the clips, 16 to 4096 (1080, 1920)
  --no-captions, --no-reframe, --no-emojis, --no-intro-title, --remove-silences,
  --remove-fillers
  --preset ID         style of captions and title (classic)
  --presets DIR       folder of your own style presets
  --translate-to CODE language of captions, titles and explanations
  --context TEXT      names and words that the speech probably contains
  --name TEXT         title to show if the video has no words; name of an edit
  --watermark IMAGE   a PNG, JPEG, WebP or GIF file, or its address
  --watermark-x, --watermark-y SHARE  its place in the free space, 0 to 1 (0.95, 0.05)
  --watermark-scale FACTOR  factor of its own size (1)
  --quality QUALITY   draft, standard or high (standard)
  --no-faces          do not look for faces and persons
  --allow-private     allow addresses of your own network

Options of words
  --text, --vtt, --srt, --json  sentences (default), subtitles, or each word with its times
  --language CODE     language of the speech, such as en or pt-BR
  --context TEXT      names and words that the speech probably contains

Set servers with environment variables: SPEECH_URL, TRANSLATE_URL and RANKING_URL, each with _API_KEY and _MODEL.
Without SPEECH_URL, SPEECH_MODEL is the model that recognises speech on this machine: ${Object.keys(namedModels).join(', ')},
the path of a folder, or off. By default it is base, which is downloaded when a video needs it (161 MB), from
SPEECH_MODEL_URL if that is set.

Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted.
`;

/** `clip-engine probe`: prints what a video file contains. */
const describeVideo = (
  { input, options }: ReturnType<typeof readProbe>,
  { out, signal }: Terminal,
): Promise<void> =>
  withTemporaryDirectory(async (directory) => {
    const { media, transcriptPath } = await openVideo(input, {
      directory,
      allowPrivate: true,
      signal,
    });
    const facts = { ...media, hasSubtitles: transcriptPath !== null };
    if (options.json) {
      out(`${JSON.stringify(facts, null, 2)}\n`);
      return;
    }
    const { width, height, frameRate, videoCodec, audioCodec } = media;
    const rows = [
      ['length', formatClock(media.duration)],
      ['picture', `${width} × ${height}, ${Number(frameRate.toFixed(3))} frames a second`],
      ['codecs', audioCodec === null ? `${videoCodec}, no sound` : `${videoCodec}, ${audioCodec}`],
      ['subtitles', transcriptPath === null ? 'none' : 'found'],
    ];
    out(formatTable(['', ''], rows).trimStart());
  });

/** `clip-engine speech-model`: downloads a model, to be used for videos without subtitles. */
async function runSpeechModel(
  { input }: ReturnType<typeof readSpeechModel>,
  { out, error, terminal, environment, signal }: Terminal,
): Promise<void> {
  const progress = new ProgressLine({ error, terminal });
  const { url } = readSpeechModelOptions({ ...environment, SPEECH_URL: '', SPEECH_MODEL: '' })!;
  const options = { model: input, url, directory: getModelDirectory(environment) };
  try {
    const { encoder } = await openModel(options, {
      signal,
      onProgress: (download) => showDownload((...shown) => progress.show(...shown), download),
    });
    progress.clear();
    const used = readRemotes(environment).speech
      ? 'SPEECH_URL is set, so the speech server is used instead.'
      : 'It is used for videos without subtitles.';
    out(`The speech model ${input} is at ${dirname(encoder)}. ${used}\n`);
  } finally {
    progress.clear();
  }
}
