/**
 * Writes what is made of `custom-elements.json`: the wrappers for React and Angular, and the types
 * for frameworks. The first step of each build; none of it is committed.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { writeAngularSources } from './angular-components.ts';
import { readElementModels } from './element-model.ts';
import { writeElementTypes } from './element-types.ts';
import { writeReactSources } from './react-wrappers.ts';

const elements = readElementModels();
const options = await resolveConfig('custom-elements.json');
const sources = [
  ...writeReactSources(elements),
  ...writeAngularSources(elements),
  ...writeElementTypes(elements),
];
for (const [path, text] of sources) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, await format(text, { ...options, filepath: path }));
}
