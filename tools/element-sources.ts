/**
 * Writes what is made of `custom-elements.json`: the wrappers for React and Angular, and the types
 * for frameworks. With `--check`: only fails if a file is not what it should be.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { angularSources } from './angular-components.ts';
import { elementModels } from './element-model.ts';
import { elementTypes } from './element-types.ts';
import { reactSources } from './react-wrappers.ts';

const elements = elementModels();
const sources = [...reactSources(elements), ...angularSources(elements), ...elementTypes(elements)];
for (const [path, text] of sources) {
  const wanted = await format(text, { ...(await resolveConfig(path)), filepath: path });
  if (!process.argv.includes('--check')) await writeFile(path, wanted);
  else if ((await readFile(path, 'utf8').catch(() => '')) !== wanted) {
    console.error(`${path} is not what custom-elements.json says: run \`npm run manifest\`.`);
    process.exitCode = 1;
  }
}
