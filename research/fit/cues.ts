/**
 * Makes the weights of `src/moments/turn-cues.ts`, `src/words/sentence-end-cues.ts` and
 * `src/words/question-cues.ts` from real conversations.
 *
 *     node research/fit/cues.ts DIRECTORY
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CueModel } from '../../packages/engine/src/words/cue-model.ts';
import { readConversations } from './conversation.ts';
import { cueModelsOf } from './cue-fit.ts';

const width = 100;

/** Words one after another, in lines. */
function wrapped(start: string, cues: readonly string[]): string[] {
  const lines: string[] = [];
  let line = start;
  for (const cue of cues) {
    const longer = line === start ? `${line}${cue}` : `${line}, ${cue}`;
    if (longer.length > width && line !== start) {
      lines.push(line);
      line = `${start}${cue}`;
    } else line = longer;
  }
  return [...lines, line];
}

function printed({ bias, weights }: CueModel, name: string, what: string): string {
  const kinds = new Map<string, Map<number, string[]>>();
  for (const [cue, weight] of weights) {
    if (weight === 0) continue;
    const [kind, text] = [cue.slice(0, cue.indexOf(': ')), cue.slice(cue.indexOf(': ') + 2)];
    const ofKind = kinds.get(kind) ?? new Map<number, string[]>();
    kinds.set(kind, ofKind.set(weight, [...(ofKind.get(weight) ?? []), text]));
  }
  const lists = [...kinds]
    .toSorted()
    .flatMap(([kind, byWeight]) => [
      `  ${/^\w+$/.test(kind) ? kind : `'${kind}'`}: \``,
      ...[...byWeight]
        .toSorted(([one], [other]) => other - one)
        .flatMap(([weight, cues]) => wrapped(`${weight}: `, cues.toSorted())),
      '`,',
    ]);
  return `/**
 * ${what}
 * Made by \`node research/fit/cues.ts\` from 48 transcripts that the Changelog publishes
 * (github.com/thechangelog/transcripts, CC BY-SA 4.0): do not edit.
 */
import { cueModel } from '${name === 'turnCues' ? '../words' : '.'}/cue-model.ts';

// prettier-ignore
export const ${name} = cueModel(${bias}, {
${lists.join('\n')}
});
`;
}

const directory = process.argv[2];
if (!directory) throw new Error('Give the folder with the transcripts: cues.ts DIRECTORY');
const { turns, ends, questions } = cueModelsOf(await readConversations(directory, 'plain'));
const source = join(import.meta.dirname, '../../packages/engine/src');
writeFileSync(
  join(source, 'moments/turn-cues.ts'),
  printed(
    turns,
    'turnCues',
    'What tells, at the border of two sentences, that another person goes on.',
  ),
);
writeFileSync(
  join(source, 'words/sentence-end-cues.ts'),
  printed(ends, 'sentenceEndCues', 'What tells, at the border of two words, that a sentence ends.'),
);
writeFileSync(
  join(source, 'words/question-cues.ts'),
  printed(questions, 'questionCues', 'What tells that a sentence without marks is a question.'),
);
