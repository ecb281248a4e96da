import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { copyWithAttention } from '../../src/transcribers/decoder-attention.ts';
import { temporaryDirectory } from 'clip-testkit/media-footage';
import { whisperBase } from '../support/real-speech.ts';

const directory = await temporaryDirectory();
after(() => directory.remove());
const at = (name: string) => join(directory.path, name);

/** A field of a protobuf message. */
function field(number: number, content: string | Buffer): Buffer {
  const bytes = Buffer.from(content);
  const length =
    bytes.length < 128 ? [bytes.length] : [(bytes.length & 127) | 128, bytes.length >> 7];
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), bytes]);
}
/** A decoder of six layers, with a weight and the given outputs. */
function makeDecoder(outputs: string[]): Buffer {
  const nodes = Array.from({ length: 12 }, (_, index) =>
    field(
      1,
      Buffer.concat([
        field(1, 'x'),
        field(2, `/softmax_${index}`),
        field(3, 'n'),
        field(4, 'Softmax'),
      ]),
    ),
  );
  const weights = field(5, Buffer.alloc(9000, 7));
  return field(
    7,
    Buffer.concat([...nodes, weights, ...outputs.map((name) => field(12, field(1, name)))]),
  );
}

describe('the copy of a decoder', () => {
  test('is the file with what gives it the attention of each layer’s head behind', async () => {
    const decoder = makeDecoder(['logits']);
    await writeFile(at('decoder.onnx'), decoder);
    assert.equal(await copyWithAttention(at('decoder.onnx'), at('copy.onnx'), 'base'), true);
    const copy = await readFile(at('copy.onnx'));
    assert.deepEqual(copy.subarray(0, decoder.length), decoder);
    const added = copy.subarray(decoder.length).toString('latin1');
    assert.ok(added.length < 1000);
    // Base listens with heads of its layers 3 to 5; the second softmax of each is for the sound.
    const used = [...added.matchAll(/\/softmax_(\d+)/g)].map(([, index]) => Number(index));
    assert.deepEqual(used, [7, 9, 11]);
    assert.ok(added.includes('cross_attention_weights'));
    assert.deepEqual(await readFile(at('decoder.onnx')), decoder);
  });

  test('is the file as it is if that has the output, or is of an unknown model', async () => {
    const decoder = makeDecoder(['logits', 'cross_attention_weights']);
    await writeFile(at('has.onnx'), decoder);
    assert.equal(await copyWithAttention(at('has.onnx'), at('copy.onnx'), 'base'), true);
    assert.deepEqual(await readFile(at('copy.onnx')), decoder);
    await writeFile(at('other.onnx'), makeDecoder([]));
    assert.equal(await copyWithAttention(at('other.onnx'), at('copy.onnx'), 'distil'), false);
    assert.equal(await copyWithAttention(at('other.onnx'), at('copy.onnx'), 'large-v3'), false);
  });

  test('is refused if the file is no model', async () => {
    await writeFile(at('text.onnx'), 'version https://git-lfs.github.com/spec/v1');
    await assert.rejects(copyWithAttention(at('text.onnx'), at('copy.onnx'), 'base'), {
      name: 'SpeechModelError',
      message: /is damaged, or not complete/,
    });
  });

  const skip = existsSync(whisperBase) ? false : 'the model is not beside this checkout';
  test('of the published decoder is less than a kilobyte longer', { skip }, async () => {
    const decoder = join(whisperBase, 'base-decoder.int8.onnx');
    assert.equal(await copyWithAttention(decoder, at('real.onnx'), 'base'), true);
    const added = (await stat(at('real.onnx'))).size - (await stat(decoder)).size;
    assert.ok(added > 500 && added < 1000, `${added} bytes`);
  });
});
