/**
 * Writes `packages/host/openapi.json`, which is published as `clip-host/openapi.json`, and
 * `packages/service/openapi.json`, which the service answers.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { format } from 'prettier';
import { hostOpenApi } from './openapi/host.ts';
import { serviceOpenApi } from './openapi/service.ts';

const root = new URL('../', import.meta.url);
const { version } = JSON.parse(await readFile(new URL('package.json', root), 'utf8')) as {
  version: string;
};
for (const [path, description] of [
  ['packages/host/openapi.json', hostOpenApi(version)],
  ['packages/service/openapi.json', serviceOpenApi()],
] as const) {
  const text = await format(JSON.stringify(description), { parser: 'json', printWidth: 100 });
  await writeFile(new URL(path, root), text);
}
