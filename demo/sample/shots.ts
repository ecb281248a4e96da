import { drawn, typed } from './drawing.ts';
import { figure } from './figure.ts';
import { frameRate } from './render-show.ts';
import { backdrop, floor, lights, palettes, props } from './scenery.ts';
import { topics } from './script.ts';
import { loudnessAt, type Speech } from './speech.ts';

export interface Shot {
  topic: number;
  kind: 'walk' | 'wide' | 'near';
  /** Frames from the start of the sample. */
  from: number;
  to: number;
}

/** Cuts between sentences: the presenter enters, then wide shots and close-ups alternate. */
export function shotsOf(speech: Speech): Shot[] {
  const kinds = ['walk', 'near', 'wide', 'near'] as const;
  const shots: Shot[] = [];
  speech.sentences.forEach((sentence, index) => {
    const before = speech.sentences[index - 1];
    const opens = before?.topic !== sentence.topic;
    const inTopic = speech.sentences
      .slice(0, index)
      .filter((s) => s.topic === sentence.topic).length;
    if (!opens && inTopic % 2 === 1) return;
    const cut = before ? (opens ? (before.end + sentence.start) / 2 : sentence.start - 0.2) : 0;
    const kind = kinds[(inTopic / 2) % kinds.length] ?? 'wide';
    shots.push({ topic: sentence.topic, kind, from: Math.round(cut * frameRate), to: 0 });
  });
  const end = Math.round(speech.duration * frameRate);
  shots.forEach((shot, index) => {
    shot.to = shots[index + 1]?.from ?? end;
  });
  return shots;
}

function headline(topic: number, start: number, end: number): string[] {
  const shown = topics[topic]!;
  const { ink, accent } = palettes[shown.scenery];
  const late = start + 0.15;
  return [
    typed(6, [start, end], shown.eyebrow, {
      x: 1150,
      y: 400,
      size: 38,
      colour: accent,
      tags: '\\fsp6\\fad(250,0)',
    }),
    ...shown.headline.map((text, index) =>
      typed(6, [late + index * 0.12, end], text, {
        x: 1145,
        y: 500 + index * 130,
        size: 150,
        colour: ink,
        tags: `\\move(1185,${500 + index * 130},1145,${500 + index * 130},0,320)\\fad(220,0)`,
      }),
    ),
  ];
}

/** The topic's number, large and faint, behind a close-up. */
const numeral = (topic: number, start: number, end: number): string[] =>
  topic === 0 || topic > 4
    ? []
    : [
        typed(2, [start, end], String(topic), {
          x: 1180,
          y: 560,
          size: 900,
          colour: palettes[topics[topic]!.scenery].ink,
          tags: '\\1a&HE0&\\fad(200,0)',
        }),
      ];

/**
 * What does not move in a shot, drawn once into its background. Times are those of that one
 * picture.
 */
export function drawGround(shot: Shot): string[] {
  const { scenery } = topics[shot.topic]!;
  const near = shot.kind === 'near';
  const shapes = near ? [] : [...backdrop(scenery), floor(scenery)];
  return [...lights(scenery, near), ...shapes].map((shape, layer) => drawn(layer, 0, 1, shape));
}

/** What moves in a shot, as lines of an ASS file. */
export function drawShot(shot: Shot, speech: Speech, topicSpan: [number, number]): string[] {
  const { scenery } = topics[shot.topic]!;
  const palette = palettes[scenery];
  const [start, end] = [shot.from / frameRate, shot.to / frameRate];
  const near = shot.kind === 'near';
  const lines: string[] = [];
  if (near) lines.push(...numeral(shot.topic, start, end));
  else lines.push(...headline(shot.topic, start, end));
  for (let frame = shot.from; frame < shot.to; frame++) {
    const time = frame / frameRate;
    const next = (frame + 1) / frameRate;
    const inShot = time - start;
    const share = (time - topicSpan[0]) / (topicSpan[1] - topicSpan[0]);
    const moving = props(scenery, time, share).map((shape) =>
      drawn(near ? 1 : 4, time, next, shape),
    );
    const walkSeconds = 2.6;
    const walking = shot.kind === 'walk' && inShot < walkSeconds;
    const walked = Math.min(1, inShot / walkSeconds);
    const person = figure({
      x: shot.kind === 'walk' ? 430 + 200 * walked : 630 + Math.sin(time * 0.7) * (near ? 16 : 40),
      ground: near ? 1330 : 965,
      scale: near ? 1.62 : 1.16,
      time,
      walking: walking ? 2.1 : 0,
      facing: 1,
      mouth: loudnessAt(speech, time),
      jumper: palette.jumper,
    });
    lines.push(...moving, ...person.map((shape) => drawn(5, time, next, shape)));
  }
  return lines;
}
