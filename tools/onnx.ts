/** Writes ONNX models, which are protocol buffers: only what `face-models.ts` needs. */

function varint(value: number | bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    const low = Number(rest & 127n);
    rest >>= 7n;
    bytes.push(rest > 0n ? low | 128 : low);
  } while (rest > 0n);
  return Buffer.from(bytes);
}

const number = (field: number, value: number): Buffer =>
  Buffer.concat([varint(field * 8), varint(value)]);

function bytes(field: number, ...parts: readonly (Buffer | string)[]): Buffer {
  const data = Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)),
  );
  return Buffer.concat([varint(field * 8 + 2), varint(data.length), data]);
}

/** Numbers of ONNX's element types. */
const types = { float: 1, int64: 7 } as const;

/** A constant: `data` is little-endian. */
export interface Initializer {
  name: string;
  dimensions: readonly number[];
  data: Buffer;
  type: keyof typeof types;
}

/** An input or output; dimensions with a name can have any size. */
interface Value {
  name: string;
  dimensions: readonly (number | string)[];
}

export const integer = (name: string, value: number): Buffer =>
  bytes(5, bytes(1, name), number(3, value), number(20, 2));
export const integers = (name: string, values: readonly number[]): Buffer =>
  bytes(5, bytes(1, name), ...values.map((value) => number(8, value)), number(20, 7));
export const text = (name: string, value: string): Buffer =>
  bytes(5, bytes(1, name), bytes(4, value), number(20, 3));

export const node = (
  operator: string,
  inputs: readonly string[],
  outputs: readonly string[],
  ...attributes: readonly Buffer[]
): Buffer =>
  bytes(
    1,
    ...inputs.map((input) => bytes(1, input)),
    ...outputs.map((output) => bytes(2, output)),
    bytes(4, operator),
    ...attributes,
  );

const initializer = ({ name, dimensions, data, type }: Initializer): Buffer =>
  bytes(
    5,
    ...dimensions.map((size) => number(1, size)),
    number(2, types[type]),
    bytes(8, name),
    bytes(9, data),
  );

function value(field: number, { name, dimensions }: Value): Buffer {
  const shape = dimensions.map((size) =>
    bytes(1, typeof size === 'number' ? number(1, size) : bytes(2, size)),
  );
  return bytes(
    field,
    bytes(1, name),
    bytes(2, bytes(1, number(1, types.float), bytes(2, ...shape))),
  );
}

/** A model of one graph, for version 13 of ONNX's operators. */
export function graphOf(graph: {
  nodes: readonly Buffer[];
  initializers: readonly Initializer[];
  input: Value;
  outputs: readonly Value[];
}): Buffer {
  const parts = bytes(
    7,
    ...graph.nodes,
    bytes(2, 'faces'),
    ...graph.initializers.map(initializer),
    value(11, graph.input),
    ...graph.outputs.map((output) => value(12, output)),
  );
  return Buffer.concat([number(1, 7), parts, bytes(8, bytes(1, ''), number(2, 13))]);
}
