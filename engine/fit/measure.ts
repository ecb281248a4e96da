/**
 * Measures the clips that the engine picks from real conversations: the table of docs/engine.md.
 *
 *     node engine/fit/measure.ts DIRECTORY
 */
import { pickCandidates } from '../src/moments/candidates.ts';
import { readConversations } from './conversation.ts';
import { figuresOf } from './figures.ts';
import { printFigures } from './print.ts';

const directory = process.argv[2];
if (!directory) throw new Error('Give the folder with the transcripts: measure.ts DIRECTORY');
const wish = { count: 10, min: 15, max: 60, target: 30 };
const conversations = readConversations(directory);
printFigures(
  `${conversations.length} conversations`,
  figuresOf(conversations, ({ analysis }) => pickCandidates(analysis, wish)),
);
