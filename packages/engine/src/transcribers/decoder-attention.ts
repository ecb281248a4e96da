import { constants } from 'node:fs';
import { chmod, copyFile, type FileHandle, open } from 'node:fs/promises';
import { SpeechModelError } from './speech-model.ts';

/**
 * Heads of the cross-attention that follow the sound, as `layer:head`. Published with
 * openai-whisper, for the models by name.
 */
const alignmentHeads: Readonly<Record<string, string>> = {
  tiny: '2:2 3:0 3:2 3:3 3:4 3:5',
  'tiny.en': '1:0 2:0 2:5 3:0 3:1 3:2 3:3 3:4',
  base: '3:1 4:2 4:3 4:7 5:1 5:2 5:4 5:6',
  'base.en': '3:3 4:7 5:1 5:5 5:7',
  small: '5:3 5:9 8:0 8:4 8:7 8:8 9:0 9:7 9:9 10:5',
  'small.en':
    '6:6 7:0 7:3 7:8 8:2 8:5 8:7 9:0 9:4 9:8 9:10 10:0 10:1 10:2 10:3 10:6 10:11 11:2 11:4',
  medium: '13:15 15:4 15:15 16:1 20:0 23:4',
  turbo: '2:4 2:11 3:3 3:6 3:11 3:14',
  'large-v3': '7:0 10:17 12:18 13:12 16:1 17:14 19:11 21:4 24:1 25:6',
};

/** The name under which sherpa-onnx looks for the attention. */
const outputName = 'cross_attention_weights';

/** Fields of ONNX's messages that are read or written here. */
const modelGraph = 7;
const graphNode = 1;
const graphInitializer = 5;
const graphOutput = 12;

/** A field of a message: its number, and where its content is. */
interface Field {
  number: number;
  start: number;
  end: number;
}

const makeDamagedError = () =>
  new SpeechModelError(
    'The decoder of the speech model is damaged, or not complete. Delete its folder, or replace the file.',
  );

/** Longer than a field's number and length. */
const headBytes = 20;

/** Reads the fields of a protobuf message that stands between two places of a file. */
async function* readFields(file: FileHandle, from: number, to: number): AsyncGenerator<Field> {
  const window = Buffer.alloc(1 << 18);
  let windowStart = 0;
  let windowEnd = 0;
  for (let at = from; at < to;) {
    if (at < windowStart || at + headBytes > windowEnd) {
      const { bytesRead } = await file.read(window, 0, window.length, at);
      [windowStart, windowEnd] = [at, at + bytesRead];
    }
    const readNumber = (): number => {
      for (let value = 0, scale = 1; ; scale *= 128) {
        const byte = window[at - windowStart];
        if (byte === undefined || at >= windowEnd || scale > 2 ** 49) {
          throw makeDamagedError();
        }
        at += 1;
        value += (byte & 127) * scale;
        if (byte < 128) return value;
      }
    };
    const key = readNumber();
    const kind = key & 7;
    if (kind === 0) readNumber();
    else if (kind === 1) at += 8;
    else if (kind === 5) at += 4;
    else if (kind === 2) {
      const length = readNumber();
      yield { number: key >>> 3, start: at, end: at + length };
      at += length;
    } else throw makeDamagedError();
  }
}

async function readText(file: FileHandle, { start, end }: Field): Promise<string> {
  const { buffer } = await file.read(Buffer.alloc(end - start), 0, end - start, start);
  return buffer.toString('utf8');
}

/** Reads the first output and the operator of a node. */
async function readNode(file: FileHandle, { start, end }: Field) {
  const bytes = Buffer.alloc(end - start);
  await file.read(bytes, 0, bytes.length, start);
  const node = { output: '', operator: '' };
  for (let at = 0; at < bytes.length;) {
    const key = bytes[at]!;
    // Inputs, outputs, name and operator stand before all else, and are short.
    if ((key & 7) !== 2 || key >>> 3 > 4 || bytes[at + 1]! > 127) break;
    const text = bytes.toString('utf8', at + 2, at + 2 + bytes[at + 1]!);
    if (key >>> 3 === 2) node.output ||= text;
    if (key >>> 3 === 4) node.operator = text;
    at += 2 + bytes[at + 1]!;
  }
  return node;
}

/**
 * Reads the outputs of the cross-attentions of a decoder, in the order of its layers: each has a
 * softmax for its own tokens, then one for the sound. Null if the attention is an output already.
 */
async function readCrossAttentions(file: FileHandle, bytes: number): Promise<string[] | null> {
  const softmaxes: string[] = [];
  for await (const field of readFields(file, 0, bytes)) {
    if (field.number !== modelGraph) continue;
    for await (const part of readFields(file, field.start, field.end)) {
      if (part.number === graphNode) {
        const { operator, output } = await readNode(file, part);
        if (operator === 'Softmax') softmaxes.push(output);
      } else if (part.number === graphOutput) {
        for await (const { number, ...name } of readFields(file, part.start, part.end)) {
          if (number === 1 && (await readText(file, { number, ...name })) === outputName)
            return null;
        }
      }
    }
  }
  return softmaxes.filter((_, index) => index % 2 === 1);
}

/** A number as protobuf writes it. */
function encodeNumber(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...encodeNumber(value >>> 7)];
}

type Encoded = readonly number[] | Buffer;

/** A field whose content is a text or another message. */
function encodeField(number: number, content: string | readonly Encoded[]): Buffer {
  const bytes =
    typeof content === 'string' ? Buffer.from(content) : Buffer.concat(content.map(toBuffer));
  return Buffer.concat([
    Buffer.from([...encodeNumber((number << 3) | 2), ...encodeNumber(bytes.length)]),
    bytes,
  ]);
}

const toBuffer = (encoded: Encoded): Buffer =>
  Buffer.isBuffer(encoded) ? encoded : Buffer.from(encoded);

const encodeInteger = (number: number, value: number): number[] => [
  ...encodeNumber(number << 3),
  ...encodeNumber(value),
];

const axis = encodeField(5, [
  encodeField(1, 'axis'),
  encodeInteger(3, 1),
  // The type of an attribute: an integer.
  encodeInteger(20, 2),
]);

const encodeNode = (operator: string, inputs: readonly string[], output: string): Buffer =>
  encodeField(graphNode, [
    ...inputs.map((input) => encodeField(1, input)),
    encodeField(2, output),
    encodeField(3, `/alignment/${output}`),
    encodeField(4, operator),
    axis,
  ]);

const int64 = 7;
const float = 1;

/** A list of whole numbers, as a constant of a graph. */
const encodeConstant = (name: string, values: readonly number[]): Buffer =>
  encodeField(graphInitializer, [
    encodeInteger(1, values.length),
    encodeInteger(2, int64),
    encodeField(7, values.map(encodeNumber)),
    encodeField(8, name),
  ]);

/** The description of the new output: four dimensions of any size. */
function encodeOutput(): Buffer {
  const dimension = (name: string) => encodeField(1, [encodeField(2, name)]);
  const shape = ['batch', 'alignment_heads', 'tokens_to_align', 'sound_frames'].map(dimension);
  const type = encodeField(1, [encodeInteger(1, float), encodeField(2, shape)]);
  return encodeField(graphOutput, [encodeField(1, outputName), encodeField(2, [type])]);
}

/**
 * Returns a model with nothing but the attention of a decoder's alignment heads as an output.
 * Protobuf merges two occurrences of an embedded message, so it is appended to the decoder's file.
 * @param attentions name of each layer's cross-attention
 * @param heads `layer:head`, separated by spaces
 */
function encodeAttentionOutput(attentions: readonly string[], heads: string): Buffer {
  const byLayer = new Map<number, number[]>();
  for (const pair of heads.split(' ')) {
    const [layer = 0, head = 0] = pair.split(':').map(Number);
    byLayer.set(layer, [...(byLayer.get(layer) ?? []), head]);
  }
  const parts = [...byLayer].map(([layer, indices]) => ({
    attention: attentions[layer]!,
    indices,
    heads: `alignment_heads_${layer}`,
    output: `alignment_${layer}`,
  }));
  return encodeField(modelGraph, [
    ...parts.map(({ attention, heads: list, output }) =>
      encodeNode('Gather', [attention, list], output),
    ),
    encodeNode(
      'Concat',
      parts.map(({ output }) => output),
      outputName,
    ),
    ...parts.map(({ heads: name, indices }) => encodeConstant(name, indices)),
    encodeOutput(),
  ]);
}

/**
 * Copies a decoder of Whisper, and gives the copy the output from which sherpa-onnx derives the
 * times of tokens. Published decoders do not have it.
 * @param name name of the model, such as `base`
 * @returns false if the decoder cannot have it, because its graph or its name is not known: its
 * words then have times by segment only
 */
export async function copyWithAttention(
  decoder: string,
  copy: string,
  name: string,
): Promise<boolean> {
  await copyFile(decoder, copy, constants.COPYFILE_FICLONE);
  await chmod(copy, 0o600);
  const file = await open(copy, 'r+');
  try {
    const { size } = await file.stat();
    const attentions = await readCrossAttentions(file, size);
    if (attentions === null) return true;
    const heads = alignmentHeads[name];
    const layers = heads?.split(' ').map((pair) => Number(pair.split(':')[0])) ?? [];
    if (!heads || Math.max(...layers) >= attentions.length) return false;
    await file.write(encodeAttentionOutput(attentions, heads), 0, null, size);
    return true;
  } finally {
    await file.close();
  }
}
