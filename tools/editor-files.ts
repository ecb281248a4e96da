/**
 * Writes what editors and assistants read from the package: `web-types.json`,
 * `vscode.html-custom-data.json`, `llms.txt` and `llms-full.txt`. The last step of each build; none
 * of it is committed.
 */
import { writeFile } from 'node:fs/promises';
import { writeEditorTexts } from './editor-file-texts.ts';

for (const [name, text] of await writeEditorTexts()) {
  await writeFile(new URL(`../${name}`, import.meta.url), text);
}
