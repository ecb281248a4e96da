/** Writes `packages/host/openapi.json`, which is published as `clip-host/openapi.json`. */
import { readFile, writeFile } from 'node:fs/promises';
import { hostOpenApi } from './host-openapi.ts';

const host = new URL('../packages/host/', import.meta.url);
const { version } = JSON.parse(await readFile(new URL('package.json', host), 'utf8')) as {
  version: string;
};
await writeFile(new URL('openapi.json', host), JSON.stringify(hostOpenApi(version), null, 2));
