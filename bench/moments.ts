import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pickCandidates } from '../packages/engine/src/moments/candidates.ts';
import { markdownTable } from './figures.ts';
import { captionKinds, readConversations } from './moments/conversation.ts';
import { fitCueModels } from './moments/cue-fit.ts';
import { judgePicks, pickBusiest } from './moments/judge.ts';

const talks = fileURLToPath(new URL('../../shared/talks', import.meta.url));
const options = { count: 10, min: 15, max: 60, target: 30 };
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

type Figures = ReturnType<typeof judgePicks>;

const writeLift = ({ lift, low, high }: Figures): string =>
  `${lift.toFixed(2)} [${low.toFixed(2)}, ${high.toFixed(2)}]`;

/** What is printed of each kind of captions; `busiest`: of windows with many sentences. */
const rows: Readonly<Record<string, (figures: Figures & { busiest: Figures }) => string>> = {
  'laughs in clips, against chance': writeLift,
  'laughs in the windows of 30 s with the most sentences': ({ busiest }) => writeLift(busiest),
  'open with a word that refers to what came before': ({ leaning }) => percent(leaning),
  'end with a question, or inside a sentence': ({ cut }) => percent(cut),
  'questions in the first half that are answered': ({ answered }) => percent(answered),
  'one person says 25 words or more in a row': ({ substance }) => percent(substance),
  'stand alone': ({ alone }) => percent(alone),
};

/**
 * The clips that the engine picks from real conversations. Each is measured with cues that were
 * fitted to the other half of them.
 */
export async function measure(): Promise<string> {
  if (!existsSync(talks)) throw new Error('The talks are not beside this checkout.');
  const plain = await readConversations(talks, 'plain');
  const models = [0, 1].map((half) => fitCueModels(plain.filter((_, at) => at % 2 !== half)));
  const found: (Figures & { busiest: Figures })[] = [];
  for (const kind of captionKinds) {
    const conversations = await readConversations(talks, kind, (index) => models[index % 2]!);
    const picks = conversations.map((one, index) =>
      pickCandidates(one.analysis, options, { turnCues: models[index % 2]!.turns }),
    );
    const { count, target: seconds } = options;
    found.push({
      ...judgePicks(conversations, (one) => picks[conversations.indexOf(one)]!),
      busiest: judgePicks(conversations, (one) => pickBusiest(one, { count, seconds })),
    });
  }
  return markdownTable(
    [`${plain.length} conversations`, ...captionKinds],
    Object.entries(rows).map(([name, write]) => [name, ...found.map(write)]),
  );
}
