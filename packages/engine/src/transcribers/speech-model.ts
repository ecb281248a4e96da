import { open, readdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { downloadVerified } from '../remote/verified-download.ts';
import type { ModelDownload } from './transcriber.ts';

/** Which model recognises speech on this machine. */
export interface SpeechModelOptions {
  /**
   * A name or the path of a file. If omitted, the model in `directory` that was downloaded last, if
   * there is one.
   */
  model?: string | undefined;
  /**
   * Address of the files of named models.
   * @default defaultModelUrl
   */
  url?: string | undefined;
  /** Where named models are stored; see `modelDirectory`. */
  directory: string;
  /**
   * Name or path of the package with whisper.cpp.
   * @default the one for this platform
   */
  recogniser?: string | undefined;
}

/** A speech model cannot be used. `message` is for a person. */
export class SpeechModelError extends Error {
  override name = 'SpeechModelError';
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Where models are stored: shared by all programs of a user. */
export const modelDirectory = (environment: Environment): string =>
  join(environment['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'clip-engine', 'models');

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );

/** The model that was downloaded last, or null. */
async function newestModel(directory: string): Promise<string | null> {
  const files = await readdir(directory).catch(() => [] as string[]);
  const models = files.filter((file) => /^ggml-.+\.bin$/.test(file));
  const found = await Promise.all(
    models.map(async (file) => {
      const path = join(directory, file);
      return { path, time: (await stat(path)).mtimeMs };
    }),
  );
  return found.toSorted((a, b) => b.time - a.time)[0]?.path ?? null;
}

/** Whether a model is named, which is downloaded when it is needed, or was downloaded. */
export const hasModel = async ({ model, directory }: SpeechModelOptions): Promise<boolean> =>
  model !== undefined || (await newestModel(directory)) !== null;

/** Downloads in progress, by path: jobs that need the same model wait for one download. */
const downloads = new Map<string, Promise<void>>();

interface FetchOptions {
  signal: AbortSignal;
  /** Only called if the model is not there yet. */
  onProgress?: (download: ModelDownload) => void;
}

/**
 * The path of a named model. It is downloaded if it is not there.
 * @param models the known models by name
 * @throws {@link RemoteError}, the file system's error, or the signal's reason
 */
export async function fetchModel(
  name: string,
  { url = defaultModelUrl, directory }: SpeechModelOptions,
  { signal, onProgress = () => {} }: FetchOptions,
  models: Readonly<Record<string, NamedModel>> = namedModels,
): Promise<string> {
  const file = modelFileName(name);
  const path = join(directory, file);
  for (;;) {
    signal.throwIfAborted();
    if (await isThere(path)) return path;
    const running = downloads.get(path);
    if (!running) break;
    await running.catch(() => {});
  }
  const totalBytes = models[name]!.bytes;
  onProgress({ model: name, bytes: 0, totalBytes });
  const download = downloadVerified(
    {
      ...models[name]!,
      url: `${url.replace(/(?<!\/)\/+$/, '')}/${file}`,
      name: `the speech model ${name}`,
    },
    path,
    {
      signal,
      onProgress: (share) => onProgress({ model: name, bytes: share * totalBytes, totalBytes }),
    },
  ).finally(() => downloads.delete(path));
  downloads.set(path, download);
  await download;
  return path;
}

/** The first number of a model file of whisper.cpp, as its bytes. */
const magic = 'lmgg';
/** Models that know other languages too have at least this many tokens. */
const minMultilingualTokens = 51_865;

/** The smallest models have 30 MB. whisper.cpp would take less for a model without weights. */
const minModelBytes = 20_000_000;

/** A model file that can be loaded, as far as its first bytes show. */
export interface SpeechModel {
  path: string;
  /** False if it only knows English. */
  multilingual: boolean;
}

async function readModel(path: string): Promise<SpeechModel> {
  const head = Buffer.alloc(8);
  let bytes: number;
  try {
    const file = await open(path);
    try {
      await file.read({ buffer: head });
      bytes = (await file.stat()).size;
    } finally {
      await file.close();
    }
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    throw new SpeechModelError(
      `The speech model cannot be read (${code}). Check the path in SPEECH_MODEL.`,
    );
  }
  if (head.toString('latin1', 0, 4) !== magic) {
    throw new SpeechModelError(
      'The file in SPEECH_MODEL is not a model of whisper.cpp. Use a file in its ggml format, such as ggml-base.bin.',
    );
  }
  if (bytes < minModelBytes) {
    throw new SpeechModelError('The speech model is not complete. Download it again.');
  }
  return { path, multilingual: head.readInt32LE(4) >= minMultilingualTokens };
}

/**
 * The model to use; null if none is named and none was downloaded.
 * @throws {@link SpeechModelError} if the file cannot be used, what `fetchModel` throws, or the
 * signal's reason
 */
export async function openModel(
  choice: SpeechModelOptions,
  options: FetchOptions,
): Promise<SpeechModel | null> {
  const { model, directory } = choice;
  if (model === undefined) {
    const path = await newestModel(directory);
    return path === null ? null : readModel(path);
  }
  const named = Object.hasOwn(namedModels, model);
  return readModel(named ? await fetchModel(model, choice, options) : model);
}

/** A file of whisper.cpp's own models. */
interface NamedModel {
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
}

/**
 * Where the files are by default: one revision, so that they never change. Published by the authors
 * of whisper.cpp under the MIT licence, as OpenAI published the weights.
 */
const defaultModelUrl =
  'https://huggingface.co/ggerganov/whisper.cpp/resolve/5359861c739e955e79d9a303bcbc70fb988958b1';

/** Models by the names that whisper.cpp uses. Those that end in `.en` only know English. */
export const namedModels: Readonly<Record<string, NamedModel>> = {
  tiny: {
    bytes: 77_691_713,
    sha256: 'be07e048e1e599ad46341c8d2a135645097a538221678b7acdd1b1919c6e1b21',
  },
  'tiny.en': {
    bytes: 77_704_715,
    sha256: '921e4cf8686fdd993dcd081a5da5b6c365bfde1162e72b08d75ac75289920b1f',
  },
  base: {
    bytes: 147_951_465,
    sha256: '60ed5bc3dd14eea856493d334349b405782ddcaf0028d4b5df4088345fba2efe',
  },
  'base.en': {
    bytes: 147_964_211,
    sha256: 'a03779c86df3323075f5e796cb2ce5029f00ec8869eee3fdfb897afe36c6d002',
  },
  small: {
    bytes: 487_601_967,
    sha256: '1be3a9b2063867b937e64e2ec7483364a79917e157fa98c5d94b5c1fffea987b',
  },
  'small.en': {
    bytes: 487_614_201,
    sha256: 'c6138d6d58ecc8322097e0f987c32f1be8bb0a18532a3f88f734d1bbf9c41e5d',
  },
  medium: {
    bytes: 1_533_763_059,
    sha256: '6c14d5adee5f86394037b4e4e8b59f1673b6cee10e3cf0b11bbdbee79c156208',
  },
  'medium.en': {
    bytes: 1_533_774_781,
    sha256: 'cc37e93478338ec7700281a7ac30a10128929eb8f427dda2e865faa8f6da4356',
  },
  'large-v3-turbo': {
    bytes: 1_624_555_275,
    sha256: '1fc70f774d38eb169993ac391eea357ef47c88757ef72ee5943879b7e8e2bc69',
  },
  'large-v3-turbo-q5_0': {
    bytes: 574_041_195,
    sha256: '394221709cd5ad1f40c46e6031ca61bce88931e6e088c188294c6d5a55ffa7e2',
  },
};

/** The file of a named model, at its address and in the model directory. */
export const modelFileName = (name: string): string => `ggml-${name}.bin`;

const isModelPath = (text: string): boolean => /[/\\]|\.bin$/.test(text);

/** Whether a text names a model, or is the path of a model file. */
export const isSpeechModel = (text: string): boolean =>
  Object.hasOwn(namedModels, text) || isModelPath(text);

/** What `isSpeechModel` takes, for messages. */
export const speechModelChoices = `one of ${Object.keys(namedModels).join(', ')}, or the path of a model file (*.bin)`;
