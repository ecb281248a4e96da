import type { ApiFigures } from './api.ts';
import type { CandidateFigures } from './engine.ts';
import { estimatesTable, type EstimateFigures } from './estimates.ts';
import { heapTable, type HeapResult } from './heap.ts';
import { heldTable, type HeldResult } from './held.ts';
import { hostRouteTable, type HostRouteFigures } from './host-route.ts';
import { longTable, type LongFigures } from './long.ts';
import { mountTable, type MountResult } from './mount.ts';
import type { RenderFigures } from './render.ts';
import { markdownTable } from './table.ts';
import type { TaskFigures } from './task.ts';

export interface Results {
  cores: number;
  /**
   * How many processes wanted a core before the bench began, over a minute; 0 on an idle machine.
   */
  loadBefore: number;
  node: string;
  ffmpeg: string;
  sampleSeconds: number;
  /** Seconds of video analysed in a second of the clock. */
  speed: number;
  renders: readonly RenderFigures[];
  candidates: CandidateFigures;
  long: LongFigures;
  estimates: EstimateFigures;
  task: TaskFigures;
  api: readonly { figures: ApiFigures; floor: ApiFigures }[];
  hostRoute: HostRouteFigures;
  held: readonly HeldResult[];
  mount: readonly MountResult[];
  heap: readonly HeapResult[];
}

const two = (value: number): string => value.toFixed(2);
const seconds = (value: number): string => `${value.toFixed(1)} s`;
const whole = (value: number): string => Math.round(value).toLocaleString('en');

const renderTable = (renders: readonly RenderFigures[]): string =>
  markdownTable(
    ['footage', 'length', 'export', 'bare', 'ratio', 'range', 'plain', 'ratio', 'decode'],
    renders.map((one) => [
      one.footage,
      seconds(one.duration),
      seconds(one.render),
      seconds(one.bare),
      two(one.ratio),
      `${two(one.ratios.min)} to ${two(one.ratios.max)}`,
      seconds(one.plain),
      two(one.overPlain),
      seconds(one.decode),
    ]),
  );

const apiTable = (api: Results['api']): string =>
  markdownTable(
    ['answer', 'body', 'requests a second', 'CPU a request', 'CPU over floor', 'memory'],
    api.flatMap(({ figures, floor }) =>
      [floor, figures].map((one) => [
        one.name,
        `${one.bytes} B`,
        whole(one.perSecond),
        `${whole(one.cpuPerRequest)} µs`,
        one === floor ? '' : `${(one.cpuPerRequest / floor.cpuPerRequest).toFixed(1)} x`,
        `${whole(one.memory / 1e6)} MB`,
      ]),
    ),
  );

const engineTable = ({ speed, sampleSeconds, task, candidates }: Results): string =>
  markdownTable(
    ['the sample', 'figure'],
    [
      ['its length', seconds(sampleSeconds)],
      ['analysed (sound, keyframes, transcript), times real time', `${whole(speed)} x`],
      [
        `${whole(candidates.duration)} s of 1080p to ${candidates.clips} chosen clips, times real time a core`,
        `${whole(candidates.duration / candidates.cpu)} x`,
      ],
      ['task accepted: source fetched and checked, after', seconds(task.accepted)],
      [`its ${task.clips} clips listed, after`, seconds(task.listed)],
      ['first poster, after', seconds(task.firstPoster)],
      ['all posters, after', seconds(task.allPosters)],
      ['first preview, after', seconds(task.firstPreview)],
      [`all ${task.clips} previews, after`, seconds(task.ready)],
    ],
  );

/** The page of the figures: what was measured, on what kind of machine, without its name. */
export const resultsPage = (results: Results): string => `# Figures

Written by \`npm run bench\` on ${results.cores} cores, Node ${results.node}, ffmpeg ${results.ffmpeg}; load of the machine before it began:
${two(results.loadBefore)} (0 is idle; above it, times of the clock and requests a second are worse than the project's own). What each figure
means, and what it leaves out: [docs/bench.md](../../docs/bench.md).

## Render
Processor seconds of an export with captions, title, emoji and crop (1080x1920; "all options": also silences taken out and a watermark)
against the bare encode of the same frames, and against a plain one: cropped and scaled, nothing laid over. Every
column holds the decoding of the source. Medians of rounds in which both sides take turns.

${renderTable(results.renders)}

## Engine
Seconds of the clock.

${engineTable(results)}

## Five hours
One task through the real service.

${longTable(results.long)}

## Estimates
${results.estimates.exports} exports of 14 clips of different sizes, lengths and options through the real service, alone and in bursts of up to ten; they
waited ${seconds(results.estimates.wait.median)} in the median, ${seconds(results.estimates.wait.longest)} at the most. Errors are shares of the whole wait.

${estimatesTable(results.estimates)}

## Requests
Each beside Node's own server that answers a fixed body of the same size. Medians of rounds in which all take turns.

${apiTable(results.api)}

## The host by hand
Microseconds of processor time of the same answer, with the same call to the service and its time limit.

${hostRouteTable(results.hostRoute)}

## Held requests
One process of the host that holds 10,000 requests for 25 seconds.

${heldTable(results.held)}

## Mounting
Milliseconds until 1,000 posters with a play button, or 1,000 export buttons, are drawn and laid out, in Chromium. The floor is such posters
by hand, without settings, checks, texts, states or events. Medians of rounds in which all take turns; the ratios are medians of each
round's own.

${mountTable(results.mount)}

## Unmounting
What 1,000 fresh elements leave behind that were put into a page and taken out again: the heap's growth after forced collection (median and
range of five rounds), and nodes, listeners and documents. The floors are the controls.

${heapTable(results.heap)}
`;
