/** Reads TensorFlow Lite models, which are FlatBuffers: only what `face-models.ts` needs. */

/** Numbers of TensorFlow Lite's operators. */
export const operators = {
  add: 0,
  convolution: 3,
  depthwise: 4,
  dequantize: 6,
  maxPool: 17,
  relu: 19,
  reshape: 22,
  resizeBilinear: 23,
  pad: 34,
  prelu: 54,
} as const;

export interface TfliteTensor {
  shape: number[];
  /** Null if the tensor is computed. */
  data: Buffer | null;
}

export interface TfliteOperation {
  operator: number;
  inputs: number[];
  outputs: number[];
  /** Of a convolution; otherwise not meaningful. */
  stride: number;
  /** Whether a convolution ends with a ReLU. */
  activation: boolean;
}

/** A table of a FlatBuffer: the place of a field, or 0 if it is omitted. */
type Table = (field: number) => number;

export function readTflite(file: Buffer): {
  tensors: TfliteTensor[];
  operations: TfliteOperation[];
  inputs: number[];
  outputs: number[];
} {
  const follow = (place: number): number => place + file.readUInt32LE(place);
  const table = (place: number): Table => {
    const fields = place - file.readInt32LE(place);
    return (field) => {
      const entry = 4 + 2 * field;
      const offset = entry < file.readUInt16LE(fields) ? file.readUInt16LE(fields + entry) : 0;
      return offset && place + offset;
    };
  };
  function list<T>(place: number, read: (item: number) => T): T[] {
    if (place === 0) return [];
    const start = follow(place);
    return Array.from({ length: file.readUInt32LE(start) }, (_, at) => read(start + 4 + 4 * at));
  }
  const tables = (place: number) => list(place, (item) => table(follow(item)));
  const integers = (place: number) => list(place, (item) => file.readInt32LE(item));
  const byte = (place: number) => (place === 0 ? 0 : file.readInt8(place));
  const integer = (place: number) => (place === 0 ? 0 : file.readInt32LE(place));

  const model = table(follow(0));
  const codes = tables(model(1)).map((code) => Math.max(byte(code(0)), integer(code(3))));
  const [graph] = tables(model(2));
  if (!graph) throw new Error('The model has no graph.');
  const buffers = tables(model(4)).map((buffer) => {
    if (buffer(0) === 0) return null;
    const start = follow(buffer(0));
    return file.subarray(start + 4, start + 4 + file.readUInt32LE(start));
  });
  return {
    tensors: tables(graph(0)).map((tensor) => ({
      shape: integers(tensor(0)),
      data: buffers[integer(tensor(2))] ?? null,
    })),
    operations: tables(graph(3)).map((operation) => {
      const operator = codes[integer(operation(0))]!;
      const options = operation(4) === 0 ? () => 0 : table(follow(operation(4)));
      const activation = operator === operators.depthwise ? 4 : 3;
      return {
        operator,
        inputs: integers(operation(1)),
        outputs: integers(operation(2)),
        stride: integer(options(1)),
        activation: byte(options(activation)) === 1,
      };
    }),
    inputs: integers(graph(1)),
    outputs: integers(graph(2)),
  };
}
