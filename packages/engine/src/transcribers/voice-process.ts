/** The process that reads voices: it gets samples, never a file, and writes none. */
import { setPriority } from 'node:os';
import { analysisNiceness } from '../program/process-limits.ts';
import { loadVoiceNetwork } from './voice-network.ts';

/** Speech of one person: mono, 16 kHz. The answer is its voice, a `Float32Array`. */
export interface VoiceTask {
  samples: Int16Array;
}

// Started with `urgent` if a person waits for what it finds.
if (process.argv[2] !== 'urgent') setPriority(analysisNiceness);
// It ends with the process that it works for, and not before.
process.once('disconnect', () => process.exit());

const network = loadVoiceNetwork();
let last: Promise<unknown> = Promise.resolve();

process.on('message', ({ samples }: VoiceTask) => {
  last = last.then(async () => process.send!(await (await network)(samples)));
});
