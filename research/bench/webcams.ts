/** Films of slides with people in them, as recordings of talks and lessons have them. */
import { join } from 'node:path';
import type { Box } from '../../packages/engine/src/edit.ts';
import {
  bullets,
  code,
  slideVideo,
  type Inset,
  type SlideLine,
} from '../../packages/engine/test/support/slide-footage.ts';
import { layFace, sceneSize, writeFilm, type SceneMaterial } from './face-scenes.ts';

/** A person in a film of their own, before a colour (`RRGGBB`) or in a room. */
interface Person {
  ground: string | null;
  /** Height of the face, in pixels of 720p. */
  height: number;
  /** A photo does not move. */
  still?: boolean;
  place: Box;
  filter?: string;
}

export interface WebcamScene {
  name: string;
  lines: readonly SlideLine[];
  ground: string;
  letters: string;
  people: readonly Person[];
  /** Paints what is on the slide beside text, at a time from 0 to 1. */
  paint?: (slide: Buffer, time: number) => void;
  /** Where the speaker is to be shown from; omitted if the whole picture is to stay. */
  speaker?: Box;
}

const rate = 12;
const seconds = 3;
const poses = 5;

const white = { ground: 'ffffff', letters: '222222' } as const;
const dark = { ground: '14213d', letters: 'ffffff' } as const;
const editor = { ground: '1e1e1e', letters: 'd4d4d4' } as const;

const place = (x: number, y: number, width: number, height: number): Box => ({
  x,
  y,
  width,
  height,
});

/** Cuts the corners of a picture by this radius, as a share of its shorter side. */
function rounded(share: number): string {
  const radius = `${share}*min(W,H)`;
  const out = `hypot(max(0,abs(X-W/2+0.5)-W/2+${radius}),max(0,abs(Y-H/2+0.5)-H/2+${radius}))`;
  return `format=yuva444p,geq=lum='lum(X,Y)':cb='cb(X,Y)':cr='cr(X,Y)':a='255*lte(${out},${radius})'`;
}

const narrow: SlideLine[] = [
  { x: 60, y: 110, size: 56, text: 'What we learned' },
  ...['Ask before you build', 'Small steps, often', 'Measure what matters', 'Write it down'].map(
    (text, at) => ({ x: 80, y: 230 + 80 * at, size: 40, text }),
  ),
];
function moved(lines: readonly SlideLine[], x: number, y: number): SlideLine[] {
  return lines.map((line) => ({ ...line, x: line.x + x, y: line.y + y }));
}

function box(slide: Buffer, { x, y, width, height }: Box, colour: readonly number[]): void {
  for (let row = y; row < y + height; row++) {
    for (let column = x; column < x + width; column++) {
      slide.set(colour, 3 * (row * sceneSize.width + column));
    }
  }
}

function band(slide: Buffer): void {
  box(slide, place(0, 0, 1280, 170), [24, 60, 120]);
}
/** Bars of a chart, up to beside a person. */
function chart(slide: Buffer): void {
  for (let bar = 0; bar < 6; bar++) {
    const height = 60 + 37 * ((bar * 4) % 7);
    box(slide, place(90 + 100 * bar, 690 - height, 70, height), [46, 120, 190]);
  }
}
function gradient(slide: Buffer): void {
  for (let at = 0; at < sceneSize.width * sceneSize.height; at++) {
    const far = (at % sceneSize.width) / sceneSize.width + at / (sceneSize.width ** 2 * 0.5625);
    slide.set([20 + 60 * far, 30 + 40 * far, 90 + 50 * far], 3 * at);
  }
}
/** A film beside the text. */
function playing(slide: Buffer, time: number): void {
  for (let bar = 0; bar < 8; bar++) {
    const shade = 120 + 100 * Math.sin(bar + 20 * time);
    box(slide, place(80 + 70 * bar, 330, 70, 340), [shade, 90, 250 - shade]);
  }
}
/** Where the face is in a film of a person, in pixels. */
const face = { x: 640, y: 320 } as const;

const room = { ground: null, height: 300 } as const;
const corner = place(928, 508, 320, 180);

/** The part of a slide that a person fills which is laid on it without a border. */
function onSlide(x: number, width: number): Box {
  return place(x, 0, width, 720);
}

export const scenes: readonly WebcamScene[] = [
  {
    name: 'straight borders',
    ...white,
    lines: bullets,
    people: [{ ...room, place: corner }],
    speaker: corner,
  },
  {
    name: 'rounded corners',
    ...white,
    lines: bullets,
    people: [{ ...room, place: corner, filter: rounded(0.12) }],
    speaker: corner,
  },
  {
    name: 'rounded corners, dark, left top',
    ...dark,
    lines: moved(bullets, 0, 250),
    people: [{ ...room, place: place(40, 30, 320, 180), filter: rounded(0.15) }],
    speaker: place(40, 30, 320, 180),
  },
  {
    name: 'a circle',
    ...white,
    lines: bullets,
    people: [{ ...room, place: place(1010, 450, 240, 240), filter: rounded(0.5) }],
    speaker: place(1010, 450, 240, 240),
  },
  {
    name: 'a circle over code',
    ...editor,
    lines: code,
    people: [{ ...room, place: place(1020, 480, 200, 200), filter: rounded(0.5) }],
    speaker: place(1020, 480, 200, 200),
  },
  {
    name: 'cut out, right',
    ...white,
    lines: narrow,
    people: [{ ground: 'ffffff', height: 260, place: place(620, 240, 853, 480) }],
    speaker: onSlide(700, 580),
  },
  {
    name: 'cut out, left, dark',
    ...dark,
    lines: moved(narrow, 560, 0),
    people: [{ ground: '14213d', height: 260, place: place(-160, 240, 853, 480) }],
    speaker: onSlide(0, 580),
  },
  {
    name: 'cut out, over code',
    ...editor,
    lines: code,
    people: [{ ground: '1e1e1e', height: 260, place: place(700, 300, 747, 420) }],
    speaker: onSlide(800, 480),
  },
  {
    name: 'like the slide, right',
    ...white,
    lines: bullets,
    people: [{ ground: 'f6f6f6', height: 320, place: corner }],
    speaker: corner,
  },
  {
    name: 'like the slide, dark',
    ...dark,
    lines: moved(bullets, 0, 100),
    people: [{ ground: '1a2644', height: 320, place: place(928, 30, 320, 180) }],
    speaker: place(928, 30, 320, 180),
  },
  {
    name: 'full-height panel, right',
    ...white,
    lines: narrow,
    people: [{ ground: null, height: 240, place: place(860, 0, 420, 720) }],
    speaker: place(860, 0, 420, 720),
  },
  {
    name: 'full-height panel, left, like the slide',
    ...dark,
    lines: moved(narrow, 480, 0),
    people: [{ ground: '182440', height: 240, place: place(0, 0, 420, 720) }],
    speaker: place(0, 0, 440, 720),
  },
  {
    name: 'at the top',
    ...white,
    lines: moved(narrow, 0, 190).map((l) => ({ ...l, y: 60 + l.y * 0.92 })),
    people: [{ ...room, place: place(480, 0, 320, 180), filter: rounded(0.12) }],
    speaker: place(480, 0, 320, 180),
  },
  {
    name: 'at the bottom',
    ...white,
    lines: bullets,
    people: [{ ground: 'ffffff', height: 300, place: place(320, 360, 640, 360) }],
    speaker: place(200, 340, 880, 380),
  },
  {
    name: 'in a room, no border found, faint edge',
    ...editor,
    lines: code,
    people: [{ ground: '262626', height: 300, place: place(880, 450, 400, 225) }],
    speaker: place(880, 430, 400, 290),
  },
  {
    name: 'rounded corners on a gradient',
    ...dark,
    paint: gradient,
    lines: bullets,
    people: [{ ...room, place: corner, filter: rounded(0.12) }],
    speaker: corner,
  },
  {
    name: 'cut out, beside a chart',
    ...white,
    paint: chart,
    lines: bullets,
    people: [{ ground: 'ffffff', height: 260, place: place(620, 240, 853, 480) }],
    speaker: onSlide(720, 560),
  },
  {
    name: 'rounded corners, on a band',
    ground: 'ffffff',
    letters: '888888',
    paint: band,
    lines: bullets,
    people: [{ ...room, place: place(930, 20, 320, 180), filter: rounded(0.12) }],
    speaker: place(930, 20, 320, 180),
  },
  {
    name: 'rounded corners, with a name',
    ...white,
    lines: [...bullets, { x: 945, y: 672, size: 20, text: 'Maria Lopez' }],
    people: [{ ...room, place: corner, filter: rounded(0.12) }],
    speaker: corner,
  },
  {
    name: 'cut out, over a long line',
    ...white,
    lines: [
      ...bullets,
      { x: 80, y: 400, size: 40, text: 'And a third line that ends close to her' },
    ],
    people: [{ ground: 'ffffff', height: 260, place: place(700, 240, 853, 480) }],
    speaker: onSlide(900, 380),
  },
  {
    name: 'a small circle in the corner',
    ...dark,
    lines: narrow,
    people: [{ ...room, height: 340, place: place(1110, 550, 150, 150), filter: rounded(0.5) }],
    speaker: place(1110, 550, 150, 150),
  },
  {
    name: 'straight borders, a film on the slide',
    ...white,
    paint: playing,
    lines: bullets,
    people: [{ ...room, place: corner }],
    speaker: corner,
  },
  {
    name: 'no: cut out, beside a film',
    ...white,
    paint: playing,
    lines: bullets,
    people: [{ ground: 'ffffff', height: 260, place: place(620, 240, 853, 480) }],
  },
  {
    name: 'no: a photo with borders',
    ...white,
    lines: bullets,
    people: [{ ...room, still: true, place: corner }],
  },
  {
    name: 'no: a photo cut out',
    ...white,
    lines: narrow,
    people: [{ ground: 'ffffff', height: 260, still: true, place: place(620, 240, 853, 480) }],
  },
  {
    name: 'no: a video with a caption',
    ...white,
    lines: [{ x: 240, y: 640, size: 48, text: 'and that is why we stayed there' }],
    people: [{ ...room, place: place(0, 0, 1280, 720) }],
  },
  {
    name: 'no: a video with a caption of two lines',
    ...white,
    lines: [
      { x: 240, y: 600, size: 44, text: 'and that is why we stayed there' },
      { x: 280, y: 655, size: 44, text: 'for all of the summer after' },
    ],
    people: [{ ground: '8a97a5', height: 200, place: place(0, 0, 1280, 720) }],
  },
  { name: 'no: code without a webcam', ...editor, lines: code, people: [] },
  {
    name: 'no: two webcams',
    ...white,
    lines: bullets,
    people: [
      { ...room, place: place(928, 508, 320, 180) },
      { ...room, place: place(928, 308, 320, 180) },
    ],
  },
  {
    name: 'no: two people cut out',
    ...white,
    lines: bullets,
    people: [
      { ground: 'ffffff', height: 300, place: place(600, 360, 640, 360) },
      { ground: 'ffffff', height: 300, place: place(100, 360, 480, 360) },
    ],
  },
];

/** Makes the film of a scene, with faces that no other scene nearby has. */
export async function webcamFilm(
  directory: string,
  scene: WebcamScene,
  at: number,
  { faces, grounds }: SceneMaterial,
): Promise<string> {
  const insets: Inset[] = [];
  const frames = Array.from({ length: rate * seconds }, (_, frame) => frame);
  const { paint } = scene;
  if (paint) {
    const video = join(directory, 'ground.mp4');
    // A few pictures, shown several times, move enough.
    const painted = Array.from({ length: paint.length === 1 ? 1 : 8 }, (_, step) => {
      const slide = Buffer.alloc(sceneSize.width * sceneSize.height * 3, scene.ground, 'hex');
      paint(slide, step / 8);
      return slide;
    });
    const shown = frames.map((frame) => painted[frame % painted.length]!);
    await writeFilm(video, shown, { rate });
    insets.push({ video: video, x: 0, y: 0, ...sceneSize });
  }
  for (const [which, person] of scene.people.entries()) {
    const picture = person.ground
      ? Buffer.alloc(sceneSize.width * sceneSize.height * 3, person.ground, 'hex')
      : grounds[(at + which) % 6]!;
    const made = Array.from({ length: poses }, (_, pose) => {
      const pixels = Buffer.from(picture);
      const sway = person.still ? 0 : Math.sin(1.3 * pose) * person.height * 0.06;
      layFace(pixels, faces[(3 * at + which + 1) % faces.length]!, {
        x: face.x + sway,
        y: face.y + sway / 3,
        height: person.height,
        light: 1,
      });
      return pixels;
    });
    const video = join(directory, `person-${which}.mp4`);
    const shown = frames.map((frame) => {
      const step = Math.floor(frame / 3) % (2 * poses - 2);
      return made[Math.min(step, 2 * poses - 2 - step)]!;
    });
    await writeFilm(video, shown, { rate });
    insets.push({ video: video, ...person.place, ...(person.filter && { filter: person.filter }) });
  }
  const { lines, ground, letters } = scene;
  return slideVideo(join(directory, 'slide.mp4'), { seconds, lines, ground, letters, insets });
}
