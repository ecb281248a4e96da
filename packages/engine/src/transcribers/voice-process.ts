/** The process that reads voices: it gets samples, never a file, and writes none. */
import { answerTasks } from '../program/network-tasks.ts';
import { loadVoiceNetwork } from './voice-network.ts';

/** Speech of one person: mono, 16 kHz. The answer is its voice, a `Float32Array`. */
export interface VoiceTask {
  samples: Int16Array;
}

const network = loadVoiceNetwork();

answerTasks<VoiceTask>(async ({ samples }) => {
  process.send!(await (await network)(samples));
});
