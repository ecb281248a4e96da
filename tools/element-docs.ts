/**
 * Writes the tables of each element's page (`docs/elements/clip-*.md`) from `custom-elements.json`,
 * and that of the service's errors.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { writeApiTables, listElements, writeErrorTable, withTables } from './api-tables.ts';

const root = new URL('../', import.meta.url);
const manifest = JSON.parse(await readFile(new URL('custom-elements.json', root), 'utf8'));
for (const element of listElements(manifest)) {
  const path = new URL(`docs/elements/${element.tagName}.md`, root);
  await writeFile(path, withTables(await readFile(path, 'utf8'), writeApiTables(element)));
}
const errors = new URL('docs/api-errors.md', root);
await writeFile(
  errors,
  withTables(await readFile(errors, 'utf8'), writeErrorTable(), 'api-error.ts'),
);
