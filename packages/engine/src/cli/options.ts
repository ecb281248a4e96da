import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import * as z from 'zod';
import { exportQualities } from '../render/encoding.ts';
import { parseLanguage } from '../words/language-code.ts';
import { namedModels } from '../transcribers/speech-model.ts';

/** The command line is not valid. The message is for a person. */
export class UsageError extends Error {
  override name = 'UsageError';
}

const parseWhole = (min: number, max: number, preset: number) =>
  z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(min, `must be ${min} to ${max}`)
    .max(max, `must be ${min} to ${max}`)
    .default(preset);

const share = (preset: number) =>
  z.coerce
    .number('must be a number')
    .min(0, 'must be 0 to 1')
    .max(1, 'must be 0 to 1')
    .default(preset);

const language = z
  .string()
  .refine((code) => parseLanguage(code) !== null, 'must be a language code such as en or pt-BR');

const context = z.string().max(1000, 'must be at most 1000 characters').default('');

const flag = z.boolean().default(false);

/** Words or phrases that are separated by commas. */
const topics = z
  .string()
  .transform((text) => text.split(',').flatMap((one) => one.trim() || []))
  .refine((list) => list.length > 0, 'must name at least one topic');

const seconds = z.coerce.number('must be a number of seconds').min(0, 'must be 0 or more');

/** The number of clips, their length in seconds, and the language of the source. */
const momentFields = {
  count: parseWhole(1, 100, 10),
  min: parseWhole(1, 120, 8),
  max: parseWhole(1, 180, 180),
  target: parseWhole(1, 120, 60),
  language: language.optional(),
  topics: topics.optional(),
  json: flag,
};

export const cutFields = {
  ...momentFields,
  out: z.string().min(1, 'must not be empty').default('clips'),
  edit: z.string().min(1, 'must not be empty').optional(),
  files: flag,
  whole: flag,
  from: seconds.optional(),
  to: seconds.optional(),
  name: z.string().max(255, 'must be at most 255 characters').default(''),
  context,
  'translate-to': language.optional(),
  width: parseWhole(16, 4096, 1080),
  height: parseWhole(16, 4096, 1920),
  'no-captions': flag,
  'no-reframe': flag,
  'no-emojis': flag,
  'no-intro-title': flag,
  'remove-silences': flag,
  'remove-fillers': flag,
  preset: z.string().optional(),
  presets: z.string().optional(),
  watermark: z.string().optional(),
  'watermark-x': share(0.95),
  'watermark-y': share(0.05),
  'watermark-scale': z.coerce
    .number('must be a number')
    .gt(0, 'must be above 0')
    .max(10, 'must be at most 10')
    .default(1),
  quality: z
    .enum(exportQualities, `must be one of ${exportQualities.join(', ')}`)
    .default('standard'),
  'no-faces': flag,
  'allow-private': flag,
};

export const wordFields = {
  json: flag,
  vtt: flag,
  srt: flag,
  text: flag,
  language: language.optional(),
  context,
};

type Fields = Readonly<Record<string, z.ZodType>>;

const isFlag = (field: z.ZodType): boolean => field === flag;

/**
 * Reads one positional argument and the options of a command. Throws UsageError, which names every
 * fault.
 */
function read<F extends Fields>(
  args: readonly string[],
  fields: F,
  missing = 'Name one file.',
): { input: string; options: z.output<z.ZodObject<F>>; given: readonly string[] } {
  const known: ParseArgsOptionsConfig = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      { type: isFlag(field) ? 'boolean' : 'string' },
    ]),
  );
  let parsed;
  try {
    parsed = parseArgs({ args: [...args], options: known, allowPositionals: true });
  } catch (error) {
    // Node's first sentence names the option; the rest is for programmers.
    throw new UsageError(`${(error as Error).message.split('. ')[0]}.`);
  }
  const { positionals, values } = parsed;
  if (positionals.length !== 1) throw new UsageError(missing);
  const result = z.object(fields).safeParse(values);
  if (!result.success) {
    const faults = result.error.issues.map(
      ({ path, message }) => `--${String(path[0])} ${message}.`,
    );
    throw new UsageError(faults.join('\n'));
  }
  return { input: positionals[0]!, options: result.data, given: Object.keys(values) };
}

function checkOrder({ min, max }: { min: number; max: number }): void {
  if (min > max) throw new UsageError('--min must not be greater than --max.');
}

/** Options that an edit does not contain. */
const besideEdit: readonly string[] = [
  ...['edit', 'out', 'files', 'name', 'json', 'quality', 'no-faces', 'allow-private'],
  ...['watermark', 'watermark-x', 'watermark-y', 'watermark-scale'],
];

/** Reads the arguments of `clip-engine cut`. */
export function readCut(args: readonly string[]) {
  const request = read(args, cutFields);
  checkOrder(request.options);
  const { from = 0, to = Infinity } = request.options;
  if (to - from < 1) throw new UsageError('--to must be at least one second after --from.');
  const said = request.given.filter((name) => !besideEdit.includes(name));
  if (request.options.edit !== undefined && said.length > 0) {
    throw new UsageError(
      `With --edit, the file says what the clip is. Leave out ${said.map((name) => `--${name}`).join(', ')}.`,
    );
  }
  return request;
}
export type CutOptions = ReturnType<typeof readCut>['options'];

/** Reads the arguments of `clip-engine moments`. */
export function readMoments(args: readonly string[]) {
  const request = read(args, momentFields);
  checkOrder(request.options);
  return request;
}

/** Reads the arguments of `clip-engine probe`. */
export const readProbe = (args: readonly string[]) => read(args, { json: flag });

const wordFormats = ['json', 'vtt', 'srt', 'text'] as const;

/** Reads the arguments of `clip-engine words`. */
export function readWords(args: readonly string[]) {
  const request = read(args, wordFields);
  const [format = 'text', ...more] = wordFormats.filter((name) => request.options[name]);
  if (more.length > 0) {
    const all = [format, ...more].map((name) => `--${name}`);
    throw new UsageError(`Use only one of ${all.join(', ')}.`);
  }
  return { ...request, format };
}

/** Reads the arguments of `clip-engine speech-model`. */
export function readSpeechModel(args: readonly string[]) {
  const request = read(args, {}, 'Name one model.');
  if (!Object.hasOwn(namedModels, request.input)) {
    throw new UsageError(`The model must be one of ${Object.keys(namedModels).join(', ')}.`);
  }
  return request;
}
