import { fileURLToPath } from 'node:url';

/**
 * The path of a recording or a model. They stand beside a checkout, since they are too large for
 * it: without them, tests of them are skipped.
 */
const shared = (name: string): string =>
  fileURLToPath(new URL(`../../../../../shared/${name}`, import.meta.url));

export const realSpeech = (name: string): string => shared(`speech/${name}`);
export const speechWithWords = (name: string): string => shared(`real/speech/${name}`);
export const whisperBase: string = shared('real/models/whisper-base');
