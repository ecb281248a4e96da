import { Tensor } from 'onnxruntime-node';
import { openNetwork } from '../program/open-network.ts';

const model = new URL('../../models/speaker-voice.onnx', import.meta.url);

/**
 * Returns the voice in speech of one person (mono, 16 kHz, 0.4 s or more), as a vector of length 1.
 * It identifies the person, so it stays in memory: never write it to a file, a log or a database.
 */
export type VoiceNetwork = (samples: Int16Array) => Promise<Float32Array>;

export async function loadVoiceNetwork(): Promise<VoiceNetwork> {
  const session = await openNetwork(model);
  return async (samples) => {
    const sound = Float32Array.from(samples, (sample) => sample / 32_768);
    const { embedding } = await session.run({
      samples: new Tensor('float32', sound, [1, sound.length]),
    });
    return embedding!.data as Float32Array;
  };
}
