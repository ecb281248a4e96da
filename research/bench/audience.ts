/**
 * How many reactions of an audience are heard, and how many are claimed wrongly, in mixes of real
 * recordings and of made sounds. Prints a table: `npm run bench:audience -- DIRECTORY [SEED]`, with
 * the folders that `crowd-scenes.ts` names.
 */
import { SoundReader } from '../../packages/engine/src/scan/sound-scan.ts';
import { countsOf, crowdScenes, materialIn, sceneSeconds } from './crowd-scenes.ts';

const directory = process.argv[2];
if (!directory)
  throw new Error('Name a directory with recordings: research/bench/audience.ts DIRECTORY');
const seed = Number(process.argv[3] ?? 5);

type Counts = ReturnType<typeof countsOf>;
const none: Counts = { planted: 0, found: 0, claims: 0, wrong: 0 };
const plus = (one: Counts, other: Counts): Counts => ({
  planted: one.planted + other.planted,
  found: one.found + other.found,
  claims: one.claims + other.claims,
  wrong: one.wrong + other.wrong,
});

const rows = new Map<string, Counts>();
let [total, scanSeconds, soundSeconds] = [none, 0, 0];
for (const scene of crowdScenes(await materialIn(directory), { seed, each: 6 })) {
  const before = process.cpuUsage();
  const reader = new SoundReader();
  reader.read(Buffer.from(scene.samples.buffer));
  const found = reader.end(sceneSeconds).reactions;
  const { user, system } = process.cpuUsage(before);
  scanSeconds += (user + system) / 1e6;
  soundSeconds += sceneSeconds;
  const name = `${scene.event ?? 'speech alone'} | ${scene.background}`;
  const counts = countsOf(scene, found);
  rows.set(name, plus(rows.get(name) ?? none, counts));
  total = plus(total, counts);
}
const row = (name: string, { planted, found, claims, wrong }: Counts) =>
  `| ${name} | ${planted} | ${found} | ${claims} | ${wrong} |`;
console.log(
  [
    '| between the sentences | below them | reactions | found | claims | false |',
    '|---|---|---|---|---|---|',
    ...[...rows].map(([name, counts]) => row(name, counts)),
    row('all | ', total),
    '',
    `Processor time: ${((1000 * scanSeconds) / soundSeconds).toFixed(1)} ms for a second of sound.`,
  ].join('\n'),
);
