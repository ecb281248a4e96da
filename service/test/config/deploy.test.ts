import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { readEnvironment } from '../../src/config/environment.ts';

const read = (name: string): Promise<string> =>
  readFile(new URL(`../../../deploy/${name}`, import.meta.url), 'utf8');

/** `NAME: value` or `NAME=value` at the beginning of each line. */
const settingsIn = (text: string): [string, string][] =>
  [...text.matchAll(/^\s*([A-Z][A-Z0-9_]+)(?:: |=)'?([^'\n]*)'?$/gm)].map(
    ([, name = '', value = '']) => [name, value],
  );

test('the settings in deploy/compose.yaml are those that the service knows', async () => {
  const example = Object.fromEntries(settingsIn(await read('.env.example')));
  const given: [string, string][] = settingsIn(await read('compose.yaml'))
    // Of the images of others.
    .filter(([name]) => !/^(POSTGRES|ROOT)_/.test(name))
    .map(([name, value]) => [
      name,
      value.replaceAll(/\$\{(\w+):\?\}/g, (_, from: string) => example[from] ?? assert.fail(from)),
    ]);
  const documented = await readFile(new URL('../../../docs/service.md', import.meta.url), 'utf8');
  for (const [name] of given) assert.ok(documented.includes(`\`${name}\``), name);
  for (const role of ['api', 'worker']) {
    const config = readEnvironment({ ...Object.fromEntries(given), ROLE: role });
    assert.equal(config.s3?.endpoint, 'http://s3:7070');
    assert.equal(config.databaseUrl, 'postgres://clips:replace-me@postgres:5432/clips');
    assert.ok(config.apiKey);
  }
});

test('the proxy closes idle connections before the service does', async () => {
  const { keepAliveTimeout } = createServer();
  const [, upstream = ''] = /upstream api \{([^}]*)\}/.exec(await read('nginx.conf')) ?? [];
  const [, seconds] = /^\s*keepalive_timeout (\d+)s;$/m.exec(upstream) ?? [];
  assert.ok(Number(seconds) * 1000 < keepAliveTimeout, `${seconds} s`);
});

test('the services of systemd have a cache that they may write to', async () => {
  for (const name of ['clip-api', 'clip-worker@']) {
    const unit = await read(`systemd/${name}.service`);
    const [, directory] = /^CacheDirectory=(.+)$/m.exec(unit) ?? [];
    assert.match(unit, new RegExp(`^Environment=XDG_CACHE_HOME=/var/cache/${directory}$`, 'm'));
  }
});
