import { groupLines } from '../../packages/engine/src/captions/caption-lines.ts';
import type { CropWindow, Edit, Framing } from '../../packages/engine/src/edit.ts';
import { loadPresets } from '../../packages/engine/src/style/presets.ts';
import { ffmpegSeconds } from './measured-run.ts';

/** The source of all edits. */
export const source: Edit['source'] = {
  width: 1280,
  height: 720,
  frameRate: 30,
  hasAudio: true,
};

/** Source pixels from one mark to the next. */
const markDistance = 80;
const seconds = 8;

/**
 * Makes two sources: one of a single colour, where every difference is one of text, ground or
 * places, and one with moving pictures under a grid of white lines, from which a window's place is
 * read.
 */
export async function makeSources(directory: string): Promise<{ plain: string; marked: string }> {
  const size = `s=${source.width}x${source.height}:r=${source.frameRate}:d=${seconds}`;
  const dim = "lutyuv=y='16+(val-16)*0.4':u='128+(val-128)*0.4':v='128+(val-128)*0.4'";
  const marks = `drawgrid=w=${markDistance}:h=${markDistance}:t=4:c=white`;
  const graphs = {
    plain: `color=0x506a80:${size},format=yuv420p`,
    marked: `testsrc2=${size},format=yuv420p,${dim},${marks}`,
  };
  for (const [name, graph] of Object.entries(graphs)) {
    await ffmpegSeconds(
      [
        ...['-f', 'lavfi', '-i', graph, '-f', 'lavfi', '-i', `sine=d=${seconds}`],
        ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '12', '-g', '60'],
        ...['-pix_fmt', 'yuv420p', '-colorspace', 'bt709', '-color_primaries', 'bt709'],
        ...['-color_trc', 'bt709', '-color_range', 'tv', '-c:a', 'aac', '-y', `${name}.mp4`],
      ],
      directory,
    );
  }
  return { plain: `${directory}/plain.mp4`, marked: `${directory}/marked.mp4` };
}

const upright = { width: 1080, height: 1920 };
const duration = 4;
const frames = duration * source.frameRate;

/** A window that moves, stands still, and jumps. */
const moving = (width: number, height: number): CropWindow => ({
  width,
  height,
  keys: [
    { frame: 0, x: 120, y: 0 },
    { frame: 50, x: 431.5, y: 0 },
    { frame: 79, x: 431.5, y: 0 },
    { frame: 80, x: 803, y: 0 },
  ],
});

const still = (x: number, y: number, width: number, height: number): CropWindow => ({
  width,
  height,
  keys: [{ frame: 0, x, y }],
});

const shots = {
  moving: [{ from: 0, to: frames, mode: 'crop', window: moving(405, 720) }],
  stack: [
    {
      ...{ from: 0, to: frames, mode: 'stack' },
      windows: [still(40, 60, 540, 480), still(700, 111, 540, 480)],
    },
  ],
  screen: [{ from: 0, to: frames, mode: 'screen', speaker: still(801, 121, 437, 531) }],
  mixed: [
    { from: 0, to: 48, mode: 'fit' },
    { from: 48, to: frames, mode: 'crop', window: moving(405, 720) },
  ],
} satisfies Record<string, object[]>;

const framings: Record<'crop' | 'fit' | keyof typeof shots, Framing> = {
  crop: { mode: 'crop', x: 437, y: 0, width: 405, height: 720 },
  fit: { mode: 'fit' },
  ...(Object.fromEntries(
    Object.entries(shots).map(([name, list]) => [name, { mode: 'shots', shots: list }]),
  ) as unknown as Record<keyof typeof shots, Framing>),
};

interface Wish {
  preset: string;
  framing: keyof typeof framings;
  text: string;
  language?: string;
  changes?: Partial<Edit>;
}

const english = 'The secret is three simple habits, not talent. First, sleep eight hours a night.';

const wishes: Readonly<Record<string, Wish>> = {
  'classic, crop, title': {
    ...{ preset: 'classic', framing: 'crop', text: english, language: 'en' },
    changes: { title: { text: 'Why you never finish a race', end: 2.5 } },
  },
  'punch, moving window, emoji': {
    ...{ preset: 'punch', framing: 'moving', text: english, language: 'en' },
    changes: { emojis: [{ emoji: '😴', start: 0.8, end: 3.2 }] },
  },
  'minimal, fit': { preset: 'minimal', framing: 'fit', text: english, language: 'en' },
  'card, right to left': {
    ...{ preset: 'card', framing: 'crop', language: 'ar' },
    text: 'السر هو ثلاث عادات بسيطة وليس الموهبة، أولا النوم ثماني ساعات',
  },
  'shade, Japanese': {
    ...{ preset: 'shade', framing: 'crop', language: 'ja' },
    text: '秘訣 は 才能 では なく 三 つ の 簡単 な 習慣 です まず 毎晩 八 時間 寝る こと',
  },
  'glow, stack': { preset: 'glow', framing: 'stack', text: english, language: 'en' },
  'marquee, screen': { preset: 'marquee', framing: 'screen', text: english, language: 'en' },
  'story, two lines, low title': {
    ...{ preset: 'story', framing: 'crop', language: 'de' },
    text: 'Die Donaudampfschifffahrtsgesellschaft und ihre Kapitänsmützenfabrik haben geschlossen',
    changes: { title: { text: 'Was keiner über die Donau weiß', end: 3, position: 'lower' } },
  },
  'reveal, fit then window': { preset: 'reveal', framing: 'mixed', text: english, language: 'en' },
  'centre, crop': { preset: 'centre', framing: 'crop', text: english, language: 'en' },
  'classic, square, cut twice': {
    ...{ preset: 'classic', framing: 'fit', text: english, language: 'en' },
    changes: {
      dimensions: { width: 1080, height: 1080 },
      ranges: [
        { start: 1, end: 2.5 },
        { start: 4, end: 5.5 },
        { start: 6.5, end: 7.5 },
      ],
    },
  },
  'punch, wide, risen': {
    ...{ preset: 'punch', framing: 'fit', text: english, language: 'en' },
    changes: { dimensions: { width: 1280, height: 720 } },
  },
};

/** Twelve edits of the source: each preset, each kind of framing and of text. */
export async function makeEdits(): Promise<{ name: string; edit: Edit }[]> {
  const presets = await loadPresets();
  return Object.entries(wishes).map(([name, { preset, framing, text, language, changes }]) => {
    const style = presets.get(preset)!.style;
    const said = text.split(' ');
    const words = said.map((word, index) => ({
      text: word,
      start: (index * duration) / said.length,
      end: ((index + 0.9) * duration) / said.length,
    }));
    const bare: Edit = {
      ...{ version: 1, source, ranges: [{ start: 1.5, end: 1.5 + duration }], duration },
      ...{ frameRate: source.frameRate, dimensions: upright, framing: framings[framing] },
      ...{ captions: [], emojis: [], title: null, style },
      ...(language && { language }),
      ...changes,
    };
    const lines = groupLines(words, { ...bare, language: language ?? null });
    const captions = name.includes('risen')
      ? lines.map((line) => ({ ...line, rise: 0.31 }))
      : lines;
    return { name, edit: { ...bare, captions } };
  });
}
