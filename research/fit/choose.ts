/**
 * Chooses the settings of `src/moments/settings.ts` on one half of the shows, and judges them on
 * the other half, and the other way round: no show is measured with settings, or with cues of
 * turns, that it helped to choose. Only the judged figures are printed. The show of a transcript
 * is its file's name without the number at the end.
 *
 *     node research/fit/choose.ts DIRECTORY
 */
import { pickCandidates } from '../../packages/engine/src/moments/candidates.ts';
import { type Settings, settings } from '../../packages/engine/src/moments/settings.ts';
import { readConversations, type Conversation } from './conversation.ts';
import { cueModelsOf, type CueModels } from './cue-fit.ts';
import { figuresOf } from './figures.ts';
import { printFigures } from './print.ts';

const options = { count: 10, min: 15, max: 60, target: 30 };
const kinds = ['plain', 'raw'] as const;

/** What clips should reach. More counts nothing: no figure makes up for another. */
const goals = {
  plain: { lift: 1.6, substance: 0.93, answered: 0.85, alone: 0.4 },
  raw: { lift: 1.6, substance: 0.92, answered: 0.85, alone: 0.3 },
} as const;

const weight = (name: string) => (value: number) => (from: Settings) => ({
  ...from,
  weights: { ...from.weights, [name]: value },
});
const needOf =
  (...names: string[]) =>
  (value: number) =>
  (from: Settings) => ({
    ...from,
    needs: { ...from.needs, ...Object.fromEntries(names.map((name) => [name, value])) },
  });

/** What is tried, one after another: each keeps what was best before. */
const tries: ((from: Settings) => Settings)[] = [
  ...[0.03, 0.25].map((likely) => (from: Settings) => ({
    ...from,
    withinTurn: { ...from.withinTurn, likely },
  })),
  ...[2, 4].map((edgeDoubt) => (from: Settings) => ({ ...from, edgeDoubt })),
  ...[0.7, 0.88, 1].map((writtenShare) => (from: Settings) => ({ ...from, writtenShare })),
  ...[0.5, 1.3].map((floorDoubt) => (from: Settings) => ({ ...from, floorDoubt })),
  ...[0.7, 0.95].map(needOf('thought')),
  ...[0.8, 0.97].map(needOf('opening', 'ending')),
  ...[0.15, 0.4].map(weight('exchange')),
  ...[0.1, 0.3].map(weight('brevity')),
  ...[0.2, 0.4].map(weight('substance')),
  ...[0.05, 0.2].map(weight('person')),
];

type Read = Readonly<Record<(typeof kinds)[number], Conversation[]>>;

/** Conversations in each kind of captions, read with the cues of others. */
async function read(directory: string, names: ReadonlySet<string>, cues: CueModels): Promise<Read> {
  const [plain, raw] = await Promise.all(
    kinds.map((kind) => readConversations(directory, kind, () => cues)),
  );
  const held = (list: Conversation[]) => list.filter(({ name }) => names.has(name));
  return { plain: held(plain!), raw: held(raw!) };
}

const figures = (list: readonly Conversation[], chosen: Settings, { turns }: CueModels) =>
  figuresOf(list, ({ analysis }) =>
    pickCandidates(analysis, options, { settings: chosen, turnCues: turns }),
  );

/** How near the figures are to the goals, in both kinds of captions. */
const worthOf = (talks: Read, chosen: Settings, cues: CueModels): number =>
  kinds.reduce((sum, kind) => {
    const reached = figures(talks[kind], chosen, cues);
    const shares = Object.entries(goals[kind]).map(([name, goal]) =>
      Math.min(1, reached[name as keyof typeof goals.plain] / goal),
    );
    return sum + shares.reduce((all, share) => all + share, 0);
  }, 0);

const directory = process.argv[2];
if (!directory) throw new Error('Give the folder with the transcripts: choose.ts DIRECTORY');
const plain = await readConversations(directory, 'plain');
const showOf = ({ name }: Conversation): string => name.replace(/-\d+\.md$/, '');
const shows = [...new Set(plain.map(showOf))];
if (shows.length < 2) throw new Error('The transcripts are of one show. Two or more are needed.');
const halves = [0, 1].map((half) => plain.filter((one) => shows.indexOf(showOf(one)) % 2 === half));
const cuesOf = halves.map(cueModelsOf);
const judged = { plain: [] as Conversation[], raw: [] as Conversation[] };
const usedFor = new Map<Conversation, { chosen: Settings; cues: CueModels }>();
for (const half of [0, 1]) {
  // To choose, each half is read with the cues of the other, as it will be judged.
  const names = (index: number) => new Set(halves[index]!.map(({ name }) => name));
  const talks = await read(directory, names(half), cuesOf[1 - half]!);
  let chosen = settings;
  let best = worthOf(talks, chosen, cuesOf[1 - half]!);
  for (const change of tries) {
    const changed = change(chosen);
    const worth = worthOf(talks, changed, cuesOf[1 - half]!);
    if (worth <= best) continue;
    [chosen, best] = [changed, worth];
  }
  console.log(`chosen on ${halves[half]!.length} conversations: ${JSON.stringify(chosen)}`);
  const others = await read(directory, names(1 - half), cuesOf[half]!);
  for (const kind of kinds) {
    for (const one of others[kind]) {
      judged[kind].push(one);
      usedFor.set(one, { chosen, cues: cuesOf[half]! });
    }
  }
}
for (const kind of kinds) {
  printFigures(
    `${kind}, judged: ${judged[kind].length} conversations`,
    figuresOf(judged[kind], (one) => {
      const { chosen, cues } = usedFor.get(one)!;
      return pickCandidates(one.analysis, options, { settings: chosen, turnCues: cues.turns });
    }),
  );
}
