/**
 * Writes what is made of `custom-elements.json`: the wrappers for React and Angular, and the types
 * for frameworks. The first step of each build; none of it is committed.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { angularSources } from './angular-components.ts';
import { elementModels } from './element-model.ts';
import { elementTypes } from './element-types.ts';
import { reactSources } from './react-wrappers.ts';

const elements = elementModels();
const options = await resolveConfig('custom-elements.json');
const sources = [...reactSources(elements), ...angularSources(elements), ...elementTypes(elements)];
for (const [path, text] of sources) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, await format(text, { ...options, filepath: path }));
}
