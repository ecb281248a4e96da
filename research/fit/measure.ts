/**
 * Measures the clips that the engine picks from real conversations: the tables of docs/engine.md.
 * Each conversation is measured with cues that were fitted to the other half of them.
 *
 *     node research/fit/measure.ts DIRECTORY [marked|plain|raw]
 */
import { pickCandidates } from '../../packages/engine/src/moments/candidates.ts';
import { claimsOf } from './claims.ts';
import { captionKinds, readConversations, type Conversation } from './conversation.ts';
import { cueModelsOf } from './cue-fit.ts';
import { figuresOf } from './figures.ts';
import { printClaims, printFigures } from './print.ts';

const [directory, only] = process.argv.slice(2);
if (!directory) throw new Error('Give the folder with the transcripts: measure.ts DIRECTORY');
const options = { count: 10, min: 15, max: 60, target: 30 };
const plain = await readConversations(directory, 'plain');
const models = [0, 1].map((half) => cueModelsOf(plain.filter((_, index) => index % 2 !== half)));
for (const kind of captionKinds) {
  if (only && only !== kind) continue;
  const modelsOf = (index: number) => models[index % 2]!;
  const conversations = await readConversations(directory, kind, modelsOf);
  const picks = new Map(
    conversations.map((one, index) => [
      one,
      pickCandidates(one.analysis, options, { turnCues: modelsOf(index).turns }),
    ]),
  );
  const picksOf = (one: Conversation) => picks.get(one)!;
  printFigures(`${kind}: ${conversations.length} conversations`, figuresOf(conversations, picksOf));
  printClaims(claimsOf(conversations, picksOf));
}
