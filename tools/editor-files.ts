/**
 * Writes what editors and assistants read from the package: `web-types.json`,
 * `vscode.html-custom-data.json`, `llms.txt` and `llms-full.txt`, or the named ones of these. The
 * last one is written by each build, and is not committed.
 */
import { writeFile } from 'node:fs/promises';
import { editorFiles } from './editor-file-texts.ts';

const named = process.argv.slice(2);
for (const [name, text] of await editorFiles()) {
  if (named.length && !named.includes(name)) continue;
  await writeFile(new URL(`../${name}`, import.meta.url), text);
}
