import { open, readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { RemoteError } from '../remote/remote-call.ts';
import { downloadVerified, getFileSize } from '../remote/verified-download.ts';
import type { ModelDownload } from './transcriber.ts';

/** Which model recognises speech on this machine. */
export interface SpeechModelOptions {
  /**
   * A name, or the path of a folder.
   * @default 'base'
   */
  model?: string | undefined;
  /**
   * Address of the repositories of named models.
   * @default defaultModelUrl
   */
  url?: string | undefined;
  /** Where named models are stored, each in a folder of its name; see `getModelDirectory`. */
  directory: string;
}

/** Paths of the files of a model that can be loaded, as far as their names and sizes show. */
export interface SpeechModel {
  kind: 'whisper' | 'parakeet';
  /** The model's name, such as `base` or `small.en`. */
  name: string;
  encoder: string;
  decoder: string;
  tokens: string;
  /** Only Parakeet has one. */
  joiner?: string;
}

/** A speech model cannot be used. `message` is for a person. */
export class SpeechModelError extends Error {
  override name = 'SpeechModelError';
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Where models are stored: shared by all programs of a user. */
export const getModelDirectory = (environment: Environment): string =>
  join(environment['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'clip-engine', 'models');

interface FetchOptions {
  signal: AbortSignal;
  /** Called only if a file of the model is missing. */
  onProgress?: (download: ModelDownload) => void;
}

/** A download in progress. Jobs that need the same model share it. */
interface Download {
  finished: Promise<void>;
  listeners: Set<(download: ModelDownload) => void>;
  abort: AbortController;
}

/** By folder. */
const downloads = new Map<string, Download>();

const waysOut =
  'Set SPEECH_MODEL_URL to a mirror, SPEECH_MODEL to a folder that has the model, or SPEECH_URL to a speech server.';

/** The error in words for the operator. */
function explainFailure(error: unknown, name: string): unknown {
  if (error instanceof RemoteError) return new SpeechModelError(`${error.message} ${waysOut}`);
  const { syscall, message } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return error;
  return new SpeechModelError(
    `The speech model ${name} cannot be stored (${message.split(',')[0]}). Set XDG_CACHE_HOME to a folder where it can, or SPEECH_MODEL to a folder that has the model.`,
  );
}

interface ModelFile {
  name: string;
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
}

/** A model that is published for sherpa-onnx. */
interface NamedModel {
  repository: string;
  revision: string;
  files: readonly ModelFile[];
}

/** The files of a model that are not in its folder, or not complete. */
async function findMissing(folder: string, { files }: NamedModel): Promise<ModelFile[]> {
  const sizes = await Promise.all(files.map(({ name }) => getFileSize(join(folder, name))));
  return files.filter(({ bytes }, index) => sizes[index] !== bytes);
}

async function downloadFiles(
  name: string,
  { url, folder, model }: { url: string; folder: string; model: NamedModel },
  { signal, onProgress }: Required<FetchOptions>,
): Promise<void> {
  const totalBytes = model.files.reduce((sum, { bytes }) => sum + bytes, 0);
  const address = `${url.replace(/(?<!\/)\/+$/, '')}/${model.repository}/resolve/${model.revision}`;
  const missing = await findMissing(folder, model);
  let before = missing.reduce((rest, { bytes }) => rest - bytes, totalBytes);
  try {
    for (const file of missing) {
      const wanted = { ...file, url: `${address}/${file.name}`, name: `speech model ${name}` };
      const reportBytes = (bytes: number) =>
        onProgress({ model: name, bytes: before + bytes, totalBytes });
      reportBytes(0);
      await downloadVerified(wanted, join(folder, file.name), { signal, onProgress: reportBytes });
      before += file.bytes;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw explainFailure(error, name);
  }
}

/**
 * Downloads the missing files of a model. Jobs that need the same model share one download, which
 * ends when none of them needs it any more.
 */
async function fetchModel(
  name: string,
  from: { url: string; folder: string; model: NamedModel },
  { signal, onProgress = () => {} }: FetchOptions,
): Promise<void> {
  signal.throwIfAborted();
  const { folder } = from;
  let download = downloads.get(folder);
  if (!download) {
    const abort = new AbortController();
    const listeners: Download['listeners'] = new Set();
    const finished = downloadFiles(name, from, {
      signal: abort.signal,
      onProgress: (progress) => listeners.forEach((listener) => listener(progress)),
    });
    download = { finished, listeners, abort };
    downloads.set(folder, download);
  }
  const { promise: left, reject } = Promise.withResolvers<never>();
  const leave = () => reject(signal.reason as Error);
  // A function of its own: two jobs may pass the same one.
  const listener = (progress: ModelDownload) => onProgress(progress);
  signal.addEventListener('abort', leave);
  download.listeners.add(listener);
  try {
    await Promise.race([download.finished, left]);
  } finally {
    signal.removeEventListener('abort', leave);
    download.listeners.delete(listener);
    if (download.listeners.size === 0) {
      downloads.delete(folder);
      download.abort.abort();
    }
  }
}

/** The first bytes of a model file of whisper.cpp. */
const ggml = 'lmgg';

/** Weights have megabytes. A pointer of Git LFS in their place has about 130 bytes. */
const minWeightBytes = 10_000;

const layout =
  'the files of a model for sherpa-onnx, such as base-encoder.int8.onnx, base-decoder.int8.onnx and base-tokens.txt';

/** Why a path cannot be used as the folder of a model. */
async function refusePath(path: string, code = 'unknown reason'): Promise<SpeechModelError> {
  if (code !== 'ENOTDIR') {
    return new SpeechModelError(
      `The folder in SPEECH_MODEL cannot be read (${code}). Check its path.`,
    );
  }
  const head = Buffer.alloc(ggml.length);
  const file = await open(path).catch(() => null);
  await file?.read({ buffer: head }).finally(() => file.close());
  const found = head.toString('latin1') === ggml ? 'a ggml file of whisper.cpp' : 'a file';
  return new SpeechModelError(
    `SPEECH_MODEL is the path of ${found}. It must be ${speechModelChoices}. A folder has ${layout}.`,
  );
}

/**
 * Finds the files of a model in its folder.
 * @throws {@link SpeechModelError} that names a file that is missing or not complete
 */
async function readFolder(folder: string): Promise<SpeechModel> {
  let files: string[];
  try {
    files = await readdir(folder);
  } catch (error) {
    throw await refusePath(folder, (error as NodeJS.ErrnoException).code);
  }
  const parts = files
    .toSorted()
    .map((file) => /^(.*)(?:(?:en|de)coder(?:\.int8)?\.onnx|tokens\.txt)$/.exec(file)?.[1]);
  const prefix = parts.find((part) => part !== undefined);
  if (prefix === undefined) {
    throw new SpeechModelError(`The folder in SPEECH_MODEL does not have ${layout}.`);
  }
  const pathOf = async (...names: [string, ...string[]]) => {
    const name = names.find((one) => files.includes(one));
    if (name === undefined) {
      throw new SpeechModelError(`The folder in SPEECH_MODEL has no file ${names[0]}.`);
    }
    const path = join(folder, name);
    const bytes = await getFileSize(path);
    if (bytes < minWeightBytes && name.endsWith('.onnx')) {
      throw new SpeechModelError(
        `The file ${name} in the folder in SPEECH_MODEL is not complete: it has ${bytes} bytes. Download it again, if it is a pointer of Git LFS with git lfs pull.`,
      );
    }
    return path;
  };
  const weights = (part: string) => pathOf(`${prefix}${part}.int8.onnx`, `${prefix}${part}.onnx`);
  const found = {
    encoder: await weights('encoder'),
    decoder: await weights('decoder'),
    tokens: await pathOf(`${prefix}tokens.txt`),
  };
  if (prefix !== '') return { kind: 'whisper', name: prefix.replace(/-$/, ''), ...found };
  return { kind: 'parakeet', name: 'parakeet', ...found, joiner: await weights('joiner') };
}

/**
 * Finds the model to use. A named one is downloaded if it is not there.
 * @param models the known models by name
 * @throws {@link SpeechModelError} or the signal's reason
 */
export async function openModel(
  { model = 'base', url = defaultModelUrl, directory }: SpeechModelOptions,
  options: FetchOptions,
  models: Readonly<Record<string, NamedModel>> = namedModels,
): Promise<SpeechModel> {
  if (!Object.hasOwn(models, model)) return readFolder(resolve(model));
  const folder = join(directory, model);
  await fetchModel(model, { url, folder, model: models[model]! }, options);
  return readFolder(folder);
}

/**
 * Whether the files of the model are here. Nothing is downloaded.
 * @throws {@link SpeechModelError} if it is in a folder that cannot be used
 */
export async function hasModel({ model = 'base', directory }: SpeechModelOptions) {
  if (!Object.hasOwn(namedModels, model)) return !!(await readFolder(resolve(model)));
  return (await findMissing(join(directory, model), namedModels[model]!)).length === 0;
}

const defaultModelUrl = 'https://huggingface.co/csukuangfj';

/** All models of Whisper for many languages have the same tokens. */
const whisperTokens = {
  bytes: 816_730,
  sha256: 'b34b360dbb493e781e479794586d661700670d65564001f23024971d1f2fa126',
};

/** The size and the SHA-256 of a file. */
type Pinned = readonly [bytes: number, sha256: string];

const describeWhisper = (
  name: string,
  revision: string,
  encoder: Pinned,
  decoder: Pinned,
): NamedModel => ({
  repository: `sherpa-onnx-whisper-${name}`,
  revision,
  files: [
    { name: `${name}-tokens.txt`, ...whisperTokens },
    { name: `${name}-encoder.int8.onnx`, bytes: encoder[0], sha256: encoder[1] },
    { name: `${name}-decoder.int8.onnx`, bytes: decoder[0], sha256: decoder[1] },
  ],
});

/** Models by name. A name is only here if several programs pin the same checksums. */
export const namedModels: Readonly<Record<string, NamedModel>> = {
  tiny: describeWhisper(
    'tiny',
    '65176e2deb88badc814a94058666cadccc29b61c',
    [12_937_772, 'd24fb083ae3b1041fc24e97971d60e280c9342201fbb67b0ab428a8b4a51a434'],
    [89_855_401, 'd2fece8dd42771f1df975c6c0445770d0c292bf7547c2cae04a6c0cc57540925'],
  ),
  base: describeWhisper(
    'base',
    'bb53ee204431c90d314c1cc08d28d23e5b7927cc',
    [29_120_534, '0b8fb1304b6109976038efff5ace81720e00386f3ff6b54ee8c75291ca0a1e11'],
    [130_672_026, '9759d217388a01b3a4c7c15533201067b48ae819c4daafc8624e64b9409dc02d'],
  ),
  small: describeWhisper(
    'small',
    '8f3c18b358db4d1f2fc1eae49d75cd20989e4309',
    [112_442_483, '4cbe7b22fa9026b843b60a68640c747de05bafb1a11b57edc0e66c232d9f33a9'],
    [262_226_114, 'acad50b5c782696e91b55914cc5ab4f756f1532f76e22aa6fc615f39fb69a8ee'],
  ),
  parakeet: {
    repository: 'sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8',
    revision: '2bda32ec70b097a55adaa07d9a7173915b43cc78',
    files: [
      {
        name: 'tokens.txt',
        bytes: 93_939,
        sha256: 'd58544679ea4bc6ac563d1f545eb7d474bd6cfa467f0a6e2c1dc1c7d37e3c35d',
      },
      {
        name: 'joiner.int8.onnx',
        bytes: 6_355_277,
        sha256: '3164c13fc2821009440d20fcb5fdc78bff28b4db2f8d0f0b329101719c0948b3',
      },
      {
        name: 'decoder.int8.onnx',
        bytes: 11_845_275,
        sha256: '179e50c43d1a9de79c8a24149a2f9bac6eb5981823f2a2ed88d655b24248db4e',
      },
      {
        name: 'encoder.int8.onnx',
        bytes: 652_184_281,
        sha256: 'acfc2b4456377e15d04f0243af540b7fe7c992f8d898d751cf134c3a55fd2247',
      },
    ],
  },
};

const isModelPath = (text: string): boolean => /[/\\]|\.bin$/.test(text);

/** Whether a text is a value of SPEECH_MODEL: a name, the path of a folder, or `off`. */
export const isSpeechModel = (text: string): boolean =>
  text === 'off' || Object.hasOwn(namedModels, text) || isModelPath(text);

/** The values that `isSpeechModel` accepts, for messages. */
export const speechModelChoices = `${Object.keys(namedModels).join(', ')}, the path of a folder, or off`;
