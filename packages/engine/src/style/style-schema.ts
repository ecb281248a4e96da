import * as z from 'zod';

const share = (min: number, max: number) => z.number().min(min).max(max);
const colour = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour such as #ffd93b');
/** Font names are written into a comma-separated list, so no character may end the name. */
const font = z
  .string()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u, 'must be the name of a font family');
const weight = z.enum(['regular', 'bold']);
const outline = z.strictObject({ colour, width: share(0, 0.2) });

const bumper = z.strictObject({ id: z.string().min(1).max(64) });

/**
 * The look of captions and title. `size` is a share of the output's shorter side; `outline.width`,
 * `shadow` and `padding` are shares of the font size.
 */
export const styleSchema = z.strictObject({
  captions: z.strictObject({
    font,
    weight,
    size: share(0.03, 0.14),
    colour,
    outline,
    shadow: share(0, 0.2),
    box: z.nullable(z.strictObject({ colour, opacity: share(0, 1), padding: share(0, 0.6) })),
    capitals: z.boolean(),
    /** The mark of the word that is spoken now. */
    spoken: z.strictObject({ mark: z.enum(['colour', 'outline', 'underline', 'none']), colour }),
    position: z.enum(['lower', 'middle', 'upper']),
    animation: z.enum(['none', 'fade', 'pop', 'reveal']),
    /** Maximum number of words in a line. */
    words: z.int().min(2).max(5),
  }),
  title: z.strictObject({
    font,
    weight,
    size: share(0.03, 0.12),
    colour,
    outline,
    box: z.nullable(z.strictObject({ colour, padding: share(0, 0.6) })),
    capitals: z.boolean(),
  }),
  /** Music of the organization, and how many dB softer than the speech it is. */
  music: z
    .strictObject({
      id: z.string().min(1).max(64),
      level_db: z.number().min(10).max(40).exactOptional(),
    })
    .exactOptional(),
  /** Bumpers of the organization before and after the clip. */
  intro: bumper.exactOptional(),
  outro: bumper.exactOptional(),
});

/** A file in `presets/`: a style with a name and a description. The file name is its id. */
export const presetFileSchema = z.strictObject({
  name: z.string().min(1).max(60),
  description: z.string().max(200),
  // These belong to an organization, which such a file does not.
  style: styleSchema.omit({ music: true, intro: true, outro: true }),
});
