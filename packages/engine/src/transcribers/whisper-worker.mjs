/**
 * Recognises the speech of a WAV file (16 kHz, mono) in a process of its own, because native code
 * can crash and needs much memory. Writes JSON lines to standard output: `{progress}`, then
 * `{said}`.
 *
 * Arguments: package of the recogniser, model file, sound file, options as JSON.
 *
 * JavaScript, because removing types takes 8 GB of address space, more than a program may use.
 */
import { createRequire } from 'node:module';

const [addon = '', filePath = '', sound = '', options = '{}'] = process.argv.slice(2);
const tell = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

const { WhisperContext } = createRequire(import.meta.url)(addon);
const recogniser = new WhisperContext({ filePath, useGpu: false });
const { promise } = recogniser.transcribeFile(sound, {
  ...JSON.parse(options),
  onProgress: (percent) => tell({ progress: Math.min(1, percent / 100) }),
});
tell({ said: await promise });
