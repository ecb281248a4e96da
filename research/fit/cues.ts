/**
 * Makes the weights of `moments/turn-cues.json`, `words/sentence-end-cues.json` and
 * `words/question-cues.json` in `packages/engine/src` from real conversations.
 *
 *     node research/fit/cues.ts DIRECTORY
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CueModel } from '../../packages/engine/src/words/cue-model.ts';
import { readConversations } from './conversation.ts';
import { cueModelsOf } from './cue-fit.ts';

const source =
  'Made by `node research/fit/cues.ts` from 48 transcripts that the Changelog publishes (github.com/thechangelog/transcripts, CC BY-SA 4.0): do not edit.';

/** By kind of cue, the strongest weight first. */
function cuesAsJson({ bias, weights }: CueModel): string {
  const kindOf = (cue: string) => cue.slice(0, cue.indexOf(': '));
  const ordered = [...weights]
    .filter(([, weight]) => weight !== 0)
    .toSorted(
      ([one, weight], [other, otherWeight]) =>
        kindOf(one).localeCompare(kindOf(other), 'en') ||
        otherWeight - weight ||
        one.localeCompare(other, 'en'),
    );
  return `${JSON.stringify({ source, bias, weights: Object.fromEntries(ordered) }, null, 2)}\n`;
}

const directory = process.argv[2];
if (!directory) throw new Error('Name the folder with the transcripts: cues.ts DIRECTORY');
const { turns, ends, questions } = cueModelsOf(await readConversations(directory, 'plain'));
const engine = join(import.meta.dirname, '../../packages/engine/src');
for (const [path, model] of [
  ['moments/turn-cues.json', turns],
  ['words/sentence-end-cues.json', ends],
  ['words/question-cues.json', questions],
] as const) {
  writeFileSync(join(engine, path), cuesAsJson(model));
}
