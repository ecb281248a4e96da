import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Style } from './style.ts';
import { presetFileSchema } from './style-schema.ts';

/** A style that a request can name by its id. */
export interface Preset {
  id: string;
  name: string;
  description: string;
  style: Style;
}

/** Presets by id, sorted by id. */
export type Presets = ReadonlyMap<string, Preset>;

/** A preset cannot be read. The message lists every file that is wrong, in one sentence each. */
export class PresetError extends Error {
  override name = 'PresetError';
}

/** Folder of the presets that come with the engine. */
export const builtInPresets = fileURLToPath(new URL('../../presets', import.meta.url));

const idPattern = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** Reads a preset from a file's text. Returns a sentence with the problem if it is not valid. */
export function readPreset(file: string, text: string): Preset | string {
  const id = file.replace(/\.json$/, '');
  if (!idPattern.test(id)) {
    return `${file}: the file name is the id of the preset. Use 1 to 63 of the characters a-z, 0-9 and -, such as my-style.json.`;
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return `${file}: this is not valid JSON.`;
  }
  const result = presetFileSchema.safeParse(value);
  if (result.success) return { id, ...result.data };
  const faults = result.error.issues.map(({ path, message }) =>
    path.length ? `${path.join('.')}: ${message}` : message,
  );
  return `${file}: ${faults.join('; ')}.`;
}

async function listFiles(directory: string): Promise<string[]> {
  try {
    return (await readdir(directory)).filter((name) => name.endsWith('.json')).toSorted();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new PresetError(
      `The folder of your own style presets cannot be read (${code}). Create it, or remove the setting that names it.`,
      { cause: error },
    );
  }
}

/**
 * Loads the presets that come with the engine, and those in the operator's own folder. An own
 * preset replaces a built-in one with the same id.
 * @param own path of the operator's folder; if omitted, only the built-in presets are loaded
 * @throws {@link PresetError} which names every file that is wrong
 */
export async function loadPresets(own?: string): Promise<Presets> {
  const found = new Map<string, Preset>();
  const faults: string[] = [];
  for (const directory of own === undefined ? [builtInPresets] : [builtInPresets, own]) {
    for (const file of await listFiles(directory)) {
      const preset = readPreset(file, await readFile(join(directory, file), 'utf8'));
      if (typeof preset === 'string') faults.push(preset);
      else found.set(preset.id, preset);
    }
  }
  if (faults.length > 0) {
    throw new PresetError(`These style presets cannot be used:\n${faults.join('\n')}`);
  }
  return new Map([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
