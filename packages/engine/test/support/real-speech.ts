import { fileURLToPath } from 'node:url';

/**
 * The path of a recording. They stand beside a checkout, since they are too large for it: without
 * them, tests of them are skipped.
 */
export const realSpeech = (name: string): string =>
  fileURLToPath(new URL(`../../../../shared/speech/${name}`, import.meta.url));
