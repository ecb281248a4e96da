import * as z from 'zod/mini';
import type { FieldError } from './problem.ts';

const editorTools = ['cut', 'words', 'style', 'layout', 'post'] as const;

/** A part of the editor that changes some fields of a clip. */
export type EditorTool = (typeof editorTools)[number];

const toolRule = `must be among ${editorTools.join(', ')}`;

/** The parts of the editor that a user has; all of what is missing. */
export const editorLimitsSchema = z.strictObject({
  tools: z.optional(
    z
      .array(z.enum(editorTools, toolRule), toolRule)
      .check(z.minLength(1, 'must name a tool: without any, leave out the permission "edit"')),
  ),
  /** Ids of style presets. */
  presets: z.optional(
    z
      .array(z.string('must be the id of a preset'), 'must be a list of ids of presets')
      .check(z.maxLength(100, 'must be at most 100')),
  ),
  /** Whether words, names of speakers and texts for a post may be written. */
  text: z.optional(z.boolean('must be true or false')),
});

export type EditorLimits = z.output<typeof editorLimitsSchema>;

/** The fields that each tool changes. A field that is not here is changed by none. */
const fieldsOf: Readonly<Record<EditorTool, readonly string[]>> = {
  cut: [
    ...['start', 'end', 'name', 'removed', 'restored'],
    ...['editing_options.remove_silences', 'editing_options.remove_fillers'],
  ],
  words: ['words', 'muted', 'speakers'],
  style: [
    ...['title', 'style_preset_id', 'preset_id', 'captions', 'dimensions', 'music'],
    ...['intro', 'outro'],
    ...['captions', 'emojis', 'intro_title'].map((name) => `editing_options.${name}`),
  ],
  layout: ['shots', 'editing_options.reframe'],
  post: ['title', 'description', 'tags', 'cover'],
};
const texts = [...fieldsOf.words, 'title', 'name', 'description', 'tags', 'subtitles_url'];
const presetFields = ['style_preset_id', 'preset_id'];

/** Lists the fields of a change, those of `editing_options` one by one: null removes all. */
function listFields({ editing_options: options = {}, ...fields }: Record<string, unknown>) {
  const names = Object.values(fieldsOf).flat();
  const none = names.flatMap((path) => /^editing_options\.(.*)/.exec(path)?.[1] ?? []);
  const nested = options ?? Object.fromEntries(none.map((name) => [name, null]));
  return [
    ...Object.entries(fields),
    ...Object.entries(nested).map(([name, value]) => [`editing_options.${name}`, value] as const),
  ];
}

/** Returns the limits that a change of these fields breaks. Null, as a value, removes a change. */
export function findLimitFaults(
  { tools, presets, text = true }: EditorLimits,
  changed: Readonly<Record<string, unknown>>,
): FieldError[] {
  return listFields(changed).flatMap(([path, value]) => {
    const needed = editorTools.filter((tool) => fieldsOf[tool].includes(path));
    if (tools && !needed.some((tool) => tools.includes(tool))) {
      const names = needed.map((tool) => `"${tool}"`).join(' or ') || 'a tool that changes it';
      return { path, message: `editor.tools does not have ${names}` };
    }
    if (!text && texts.includes(path)) return { path, message: 'editor.text is false' };
    if (!presets || !presetFields.includes(path) || value === null) return [];
    const isOffered = presets.some((id) => id === value);
    return isOffered
      ? []
      : { path, message: `editor.presets does not have ${String(value).slice(0, 80)}` };
  });
}
