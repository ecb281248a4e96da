import { readFile } from 'node:fs/promises';
import { InferenceSession } from 'onnxruntime-node';

/** Loads a network of this package, to run on the thread that calls it. */
export const openNetwork = async (model: URL): Promise<InferenceSession> =>
  InferenceSession.create(await readFile(model), {
    executionProviders: ['cpu'],
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    // Errors alone.
    logSeverityLevel: 3,
  });
