import * as z from 'zod';
import type { Edit } from '../edit.ts';
import type { Span } from '../facts.ts';
import { styleSchema } from '../style/style-schema.ts';

const share = z.number().min(0).max(1);
/** No source is longer than a day. */
const seconds = z.number().min(0).max(86_400);
const pixels = z.int().min(2).max(16_384);
const index = z.int().min(0).max(1000);

const isForward = ({ start, end }: Span): boolean => start < end;
const forward = { path: ['end'], error: 'must be greater than start' };
const spanFields = { start: seconds, end: seconds };
const box = { x: share, y: share, width: share, height: share };

/** Shares of the output, also beside it: a window may cut a face. */
const near = z.number().min(-100).max(100);
const outputBox = { x: near, y: near, width: near, height: near };

const text = z.string().max(200);
const words = z
  .array(
    z
      .strictObject({ ...spanFields, text, opensTurn: z.boolean().exactOptional() })
      .refine(({ start, end }) => start <= end, {
        path: ['end'],
        error: 'must not be before start',
      }),
  )
  .max(5000);

const place = z.number().min(0).max(16_384);
const window = z.strictObject({
  width: z.number().min(1).max(16_384),
  height: z.number().min(1).max(16_384),
  keys: z
    .array(z.strictObject({ frame: z.int().min(0), x: place, y: place }))
    .min(1)
    .max(20_000),
});

const frames = { from: z.int().min(0), to: z.int().min(1) };
const shot = z
  .discriminatedUnion('mode', [
    z.strictObject({ ...frames, mode: z.literal('fit') }),
    z.strictObject({
      ...frames,
      mode: z.literal('crop'),
      window,
      band: z.strictObject({ y: place, height: place.min(1) }).exactOptional(),
    }),
    z.strictObject({ ...frames, mode: z.literal('stack'), windows: z.tuple([window, window]) }),
    z.strictObject({ ...frames, mode: z.literal('screen'), speaker: window }),
  ])
  .refine(({ from, to }) => from < to, { path: ['to'], error: 'must be greater than from' });

const framing = z.discriminatedUnion('mode', [
  z.strictObject({
    mode: z.literal('crop'),
    x: place,
    y: place,
    width: z.number().min(1).max(16_384),
    height: z.number().min(1).max(16_384),
  }),
  z.strictObject({ mode: z.literal('fit') }),
  z.strictObject({ mode: z.literal('shots'), shots: z.array(shot).min(1).max(100) }),
]);

const manualWindow = {
  x: share.exactOptional(),
  y: share.exactOptional(),
  zoom: z.number().min(1).max(8).exactOptional(),
};

const position = z.enum(['lower', 'middle', 'upper']);

/** An {@link Edit} from a file: what a render cannot be trusted with is refused. */
export const editSchema: z.ZodType<Edit> = z.strictObject({
  version: z.literal(1),
  source: z.strictObject({
    width: pixels,
    height: pixels,
    frameRate: z.number().min(0.1).max(1000),
    hasAudio: z.boolean(),
    audioStream: index.exactOptional(),
    mixedAudioStreams: z.array(index).min(1).max(7).exactOptional(),
    colourMatrix: z.enum(['bt601', 'bt709', 'bt2020']).exactOptional(),
    videoStream: index.exactOptional(),
    transfer: z.enum(['pq', 'hlg']).exactOptional(),
    firstField: z.enum(['top', 'bottom']).exactOptional(),
    content: z.strictObject(box).exactOptional(),
    soundAlone: z.enum(['cover', 'wave']).exactOptional(),
  }),
  ranges: z
    // A range on whole frames of the output may begin up to one of them before the source.
    .array(
      z
        .strictObject({ start: z.number().min(-1).max(86_400), end: seconds })
        .refine(isForward, forward),
    )
    .min(1)
    .max(1000)
    .refine((ranges) => ranges.every(({ start }, at) => !at || start >= ranges[at - 1]!.end), {
      error: 'must be in order, and must not overlap',
    }),
  duration: seconds,
  frameRate: z.number().min(1).max(120),
  dimensions: z.strictObject({
    width: z.int().min(16).max(4096).multipleOf(2),
    height: z.int().min(16).max(4096).multipleOf(2),
  }),
  framing,
  needsAnalysis: z.boolean().exactOptional(),
  manualFraming: z
    .strictObject({
      shots: z
        .array(
          z
            .strictObject({
              ...spanFields,
              mode: z.enum(['crop', 'fit', 'stack', 'screen']),
              ...manualWindow,
              below: z.strictObject(manualWindow).exactOptional(),
            })
            .refine(isForward, forward),
        )
        .max(100),
      rest: framing,
    })
    .exactOptional(),
  translated: z.boolean().exactOptional(),
  sourceCaptions: z.boolean().exactOptional(),
  latestStart: seconds.exactOptional(),
  faces: z
    .array(z.strictObject({ ...spanFields, ...outputBox }).refine(isForward, forward))
    .max(10_000)
    .exactOptional(),
  captionPosition: position.exactOptional(),
  captions: z
    .array(
      z
        .strictObject({
          ...spanFields,
          words,
          position: position.exactOptional(),
          rise: share.exactOptional(),
        })
        .refine(isForward, forward),
    )
    .max(5000),
  words: words.exactOptional(),
  emojis: z
    .array(
      z
        .strictObject({
          ...spanFields,
          emoji: z.string().min(1).max(40),
          position: position.exactOptional(),
        })
        .refine(isForward, forward),
    )
    .max(1000),
  muted: z
    .strictObject({
      spans: z.array(z.strictObject(spanFields).refine(isForward, forward)).min(1).max(5000),
      sound: z.enum(['mute', 'bleep']),
    })
    .exactOptional(),
  music: z
    .strictObject({
      id: z.string().min(1).max(64),
      levelDb: z.number().min(10).max(40),
      speech: z.nullable(z.array(z.strictObject(spanFields).refine(isForward, forward)).max(5000)),
      sourceDb: z.number().min(-100).max(10).exactOptional(),
    })
    .exactOptional(),
  intro: styleSchema.shape.intro,
  outro: styleSchema.shape.outro,
  title: z.nullable(
    z.strictObject({ text, end: seconds, position: z.enum(['upper', 'lower']).exactOptional() }),
  ),
  cover: z
    .strictObject({ time: z.number().min(0).max(86_400), title: text.exactOptional() })
    .exactOptional(),
  bestTime: z.number().min(0).max(86_400).exactOptional(),
  style: styleSchema.exactOptional(),
  language: z
    .string()
    .regex(/^[A-Za-z0-9]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}$/, 'must be a language code')
    .exactOptional(),
});
