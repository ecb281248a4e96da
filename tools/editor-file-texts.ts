import { readFile } from 'node:fs/promises';
import { listElements } from './api-tables.ts';
import { writeVscodeData, writeWebTypes } from './editor-data.ts';
import { packedPages } from './docs-pages.ts';
import { writeLlmsFull, writeLlmsIndex, type Page } from './llms.ts';

const read = (path: string): Promise<string> =>
  readFile(new URL(`../${path}`, import.meta.url), 'utf8');

const formatJson = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** The files for editors and assistants, by name. */
export async function writeEditorTexts(): Promise<Map<string, string>> {
  const elements = listElements(JSON.parse(await read('custom-elements.json')));
  const { version, description } = JSON.parse(await read('package.json')) as {
    version: string;
    description: string;
  };
  const pages = new Map<string, Page>();
  for (const name of Object.values(packedPages).flat()) {
    const path = `docs/${name}.md`;
    pages.set(name, { path, text: await read(path) });
  }
  return new Map([
    ['web-types.json', formatJson(writeWebTypes(elements, version))],
    ['vscode.html-custom-data.json', formatJson(writeVscodeData(elements))],
    ['llms.txt', writeLlmsIndex(description, pages)],
    ['llms-full.txt', writeLlmsFull(description, pages)],
  ]);
}
