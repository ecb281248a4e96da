import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { analysePictures } from '../../src/framing/analyse-pictures.ts';
import { adaptEdit } from '../../src/editing/framed-edit.ts';
import type { OpenFinder } from '../../src/framing/subject-finder.ts';
import type { Edit } from '../../src/edit.ts';
import { render } from '../../src/render/render.ts';
import { temporaryDirectory } from 'clip-testkit/media-footage';
import { nosesIn } from './nose.ts';
import { peopleVideo, type Scene } from './people-footage.ts';
import { meanJerk } from './wanderer.ts';
import { plainEdit } from 'clip-testkit/plain-edit';
import { inLongRun } from 'clip-testkit/long-run';

const source = { width: 480, height: 270 };
const output = { width: 152, height: 270 };
const frameRate = 25;

const editFor = (seconds: number): Edit =>
  plainEdit({
    source: { ...source, frameRate, hasAudio: false },
    ranges: [{ start: 0, end: seconds }],
    dimensions: output,
    framing: { mode: 'crop', x: 164, y: 0, width: 151, height: 270 },
    needsAnalysis: true,
  });

/** A person in three shots: at rest, walking, and moving suddenly to the other side. */
function wandering(second: number): Scene {
  const at = (x: number, scene: number): Scene => ({ scene, people: [{ x, y: 110, height: 70 }] });
  if (second < 2.52) return at(350 + 4 * Math.sin(second * 9), 0);
  if (second < 6) return at(90 + 70 * (second - 2.52), 1);
  const start = Math.floor((second - 6) / 2);
  const share = Math.min(1, ((second - 6) % 2) / 0.8);
  const [from, to] = start % 2 === 0 ? [110, 360] : [360, 110];
  return at(from + (to - from) * share * share * (3 - 2 * share), 2);
}

/** What every finder must achieve, on real footage with a known path of the subject. */
export function framingSuite(name: string, open: () => Promise<OpenFinder>): void {
  describe(`framing by ${name}`, () => {
    let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
    let finder: OpenFinder;
    const at = (file: string) => join(directory.path, file);
    const signal = () => new AbortController().signal;

    before(async () => {
      directory = await temporaryDirectory();
      finder = await open();
    });
    after(() => directory.remove());

    async function framed(video: string, seconds: number) {
      const edit = editFor(seconds);
      const analysis = await analysePictures(video, {
        span: { start: 0, end: seconds },
        source,
        frameRate: 25,
        shape: 9 / 16,
        finders: [finder],
        signal: signal(),
      });
      return { look: analysis, edit: adaptEdit(edit, analysis) };
    }

    it('keeps the subject in 95 % of the frames, jumps at cuts alone, and jerks five times less than a naive crop', async () => {
      const seconds = 8;
      const video = await peopleVideo(at('wandering.mp4'), { ...source, seconds, at: wandering });
      const { look: analysis, edit } = await framed(video, seconds);
      assert.deepEqual(analysis.cuts, [2.52, 6]);
      const options = { source: video, output: at('out.mp4'), quality: 'export' as const };
      await render(edit, { ...options, signal: signal() });
      const noses = await nosesIn(at('out.mp4'), output);
      assert.equal(noses.length, seconds * frameRate);
      const kept = noses.filter((nose) => nose !== null);
      assert.ok(kept.length >= 0.95 * noses.length, `${kept.length} of ${noses.length}`);

      // The window's position in each frame, from the subject's positions in the source and the
      // render.
      const truth = (frame: number) => wandering(frame / frameRate).people[0]!.x;
      const windows = noses.map((nose, frame) => nose && truth(frame) - nose.x);
      const shots = [
        [0, 63],
        [63, 150],
        [150, 200],
      ] as const;
      // A naive crop centres the subject in each picture where it is found.
      const seen = analysis.sightings.map(({ time, subjects }) => ({
        time,
        x: subjects[0] ? (subjects[0].box.x + subjects[0].box.width / 2) * source.width : null,
      }));
      let [own, naive] = [0, 0];
      for (const [from, to] of shots) {
        const places = windows.slice(from, to);
        own += meanJerk(places.filter((place) => place !== null).map(Math.round)) * (to - from);
        const found = Array.from({ length: to - from }, (_, index) => {
          const now = (from + index) / frameRate;
          return seen.findLast(({ time, x }) => x !== null && time <= now + 0.01)?.x ?? 240;
        });
        naive += meanJerk(found) * (to - from);
        places.forEach((place, index) => {
          const last = places[index - 1] ?? null;
          // The subject moves by up to 19 pixels per frame. The jumps at the cuts are more than 60
          // pixels.
          if (place === null || last === null) return;
          assert.ok(Math.abs(place - last) < 25, `from ${last} to ${place} within a shot`);
        });
      }
      assert.ok(naive / own >= 5, `jerk ${naive / own} times below the naive crop’s`);
    });

    it('shows whole what has no subject, and stands still while one does', inLongRun, async () => {
      const video = await peopleVideo(at('still.mp4'), {
        ...source,
        seconds: 3.2,
        at: (second) => ({
          scene: second < 1.2 ? 2 : 0,
          people: second < 1.2 ? [] : [{ x: 130 + 5 * Math.sin(second * 11), y: 110, height: 70 }],
        }),
      });
      const { framing } = (await framed(video, 3.2)).edit;
      assert.ok(framing.mode === 'shots', framing.mode);
      const [empty, still, ...rest] = framing.shots;
      assert.deepEqual([empty?.mode, empty?.to, rest.length], ['fit', 30, 0]);
      assert.ok(still?.mode === 'crop');
      for (const { x } of still.window.keys) {
        const middle: number = x + still.window.width / 2;
        assert.ok(Math.abs(middle - 130) < 30, String(middle));
      }
    });
  });
}
