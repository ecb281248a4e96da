/** Writes `packages/host/openapi.json`, which is published as `clip-host/openapi.json`. */
import { readFile, writeFile } from 'node:fs/promises';
import { format } from 'prettier';
import { hostOpenApi } from './host-openapi.ts';

const root = new URL('../', import.meta.url);
const { version } = JSON.parse(await readFile(new URL('package.json', root), 'utf8')) as {
  version: string;
};
const text = await format(JSON.stringify(hostOpenApi(version)), {
  parser: 'json',
  printWidth: 100,
});
await writeFile(new URL('packages/host/openapi.json', root), text);
