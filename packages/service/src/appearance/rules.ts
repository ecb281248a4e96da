import { type Preset, presetFileSchema, styleSchema } from 'clip-engine';
import { dateTimeSchema, httpUrlSchema, idSchema } from 'clip-kit/contract';
import type { Appearance, PageLook, Rgb } from 'clip-player';
import * as z from 'zod/mini';
import type { AppearanceRow, AppearanceValue, FontRow, MediaRow } from '../db/schema.ts';

const colour = z.string().check(z.regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour such as #0a7d55'));

/** Body of `PUT /appearance`, and its answer. */
export const appearanceSchema: z.ZodMiniType<AppearanceValue> = z.strictObject({
  color_scheme: z.optional(z.enum(['light', 'dark', 'light dark'])),
  accent: z.optional(colour),
  on_accent: z.optional(colour),
  surface: z.optional(colour),
  text: z.optional(colour),
  /** Pixels. */
  radius: z.optional(
    z.number().check(z.minimum(0, 'must be at least 0'), z.maximum(64, 'must be at most 64')),
  ),
  /** Names of families, the first that a browser has is used. */
  font: z.optional(
    z
      .array(
        z
          .string()
          .check(
            z.regex(
              /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._&+-]{0,63}$/u,
              'must be the name of a font family',
            ),
          ),
      )
      .check(z.minLength(1, 'must not be empty'), z.maxLength(8, 'must be at most 8 families')),
  ),
  logo_url: z.optional(
    httpUrlSchema.check(
      z.regex(/^https:/i, 'must be an https address'),
      z.maxLength(2048, 'must be at most 2048 characters'),
      z.refine((url) => !/[\s"'<>;,\\]/.test(url), 'must be an address without quotes or spaces'),
    ),
  ),
});

const weightSchema = z.enum(['regular', 'bold']);

/** An answer of `/fonts`. */
export const fontSchema = z.object({
  id: idSchema,
  family: z.string(),
  weight: weightSchema,
  bytes: z.number(),
  created_at: dateTimeSchema,
});

const nameFields = {
  name: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'must not be empty'),
      z.maxLength(100, 'must be at most 100 characters'),
    ),
};

/** Query of `POST /music`. */
export const newMusicSchema = z.strictObject(nameFields);

/** Query of `POST /bumpers`. `seconds`: the time that a picture is shown. */
export const newBumperSchema = z.strictObject({
  ...nameFields,
  seconds: z.optional(
    z.pipe(
      z.string().check(z.regex(/^(?:[1-9]|10)$/, 'must be a whole number, 1 to 10')),
      z.transform(Number),
    ),
  ),
});

/** Body of `POST /style-presets`. */
export const newPresetSchema = presetFileSchema.extend({
  style: styleSchema,
  id: z
    .string()
    .check(
      z.regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'must be 1 to 63 of the characters a-z, 0-9 and -'),
    ),
});

/** An answer of `/style-presets`. `is_own`: whether the organization has made it. */
export const ownPresetSchema = newPresetSchema.extend({ is_own: z.boolean() });

/** Most live fonts of an organization. */
export const maxFonts = 20;
/** Most presets of an organization. */
export const maxPresets = 50;
/** Most files of music of an organization. */
export const maxMusic = 50;
/** Most bumpers of an organization. */
export const maxBumpers = 50;
/** For how many days files of deleted fonts and media stay, for exports that were started. */
export const deletedFontDays = 7;

function parseRgb(colour: string | undefined): Rgb | undefined {
  if (colour === undefined) return undefined;
  const value = Number.parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** The values as the pages take them. */
function makeAppearance(value: AppearanceValue): Appearance {
  const { color_scheme: scheme, accent, on_accent, surface, text, radius, font } = value;
  return {
    scheme,
    accent: parseRgb(accent),
    onAccent: parseRgb(on_accent),
    surface: parseRgb(surface),
    text: parseRgb(text),
    radius,
    font,
  };
}

/** Returns everything that the pages of a clip need to look as its organization wants. */
export const makePageLook = (
  row: AppearanceRow | undefined,
  fonts: readonly FontRow[],
): PageLook => ({
  appearance: makeAppearance(row?.value ?? {}),
  ...(row?.value.logo_url !== undefined && { logoUrl: row.value.logo_url }),
  fonts: fonts.map(({ id, family, weight }) => ({ id, family, weight })),
});

/** A font as the API shows it. */
export const makeFontObject = ({ id, family, weight, bytes, created_at }: FontRow) => ({
  id,
  family,
  weight,
  bytes,
  created_at: created_at.toISOString(),
});

/** Music or a bumper as the API shows it. */
export const makeMediaObject = ({ id, name, seconds, bytes, created_at }: MediaRow) => ({
  id,
  name,
  seconds,
  bytes,
  created_at: created_at.toISOString(),
});

/** A preset as the API shows it. */
export const makePresetObject = (preset: Preset, own: ReadonlySet<string>) => ({
  ...preset,
  is_own: own.has(preset.id),
});
