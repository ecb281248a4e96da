import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Deployment } from 'kubernetes-types/apps/v1.d.ts';
import type { Job } from 'kubernetes-types/batch/v1.d.ts';
import type { Probe } from 'kubernetes-types/core/v1.d.ts';
import { parse, parseAllDocuments } from 'yaml';
import { temporaryDirectory } from 'clip-testkit/media-footage';
import { readEnvironment } from '../../src/config/environment.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const manifests = join(root, 'packages/service/deploy/kubernetes');

interface Resource {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
}

const documents = (text: string): Resource[] =>
  parseAllDocuments(text).map((document) => document.toJS() as Resource);

async function resources(): Promise<Resource[]> {
  const files = await readdir(manifests, { recursive: true });
  const texts = files
    .filter((name) => name.endsWith('.yaml') && !name.endsWith('kustomization.yaml'))
    .map((name) => readFile(join(manifests, name), 'utf8'));
  return (await Promise.all(texts)).flatMap(documents);
}

/** Modules of `kubernetes-types` by API group and version. */
const modules: Readonly<Record<string, string>> = {
  v1: 'core/v1',
  'apps/v1': 'apps/v1',
  'batch/v1': 'batch/v1',
  'policy/v1': 'policy/v1',
  'autoscaling/v2': 'autoscaling/v2',
};

/** What the types of the Kubernetes API do not allow: a field that there is not, a wrong type. */
async function typeErrors(given: readonly Resource[]): Promise<string> {
  const directory = await temporaryDirectory();
  const lines = given.map((resource, at) => {
    const module = modules[resource.apiVersion];
    assert.ok(module, resource.apiVersion);
    return [
      `import type { ${resource.kind} as Kind${at} } from 'kubernetes-types/${module}.d.ts';`,
      `export const resource${at}: Kind${at} = ${JSON.stringify(resource, null, 1)};`,
    ].join('\n');
  });
  await writeFile(join(directory.path, 'resources.ts'), lines.join('\n'));
  await symlink(join(root, 'node_modules'), join(directory.path, 'node_modules'));
  const { stdout } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/@typescript/native/bin/tsc'),
      ...['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext'],
      ...['--allowImportingTsExtensions', '--types', ''],
      join(directory.path, 'resources.ts'),
    ],
    { encoding: 'utf8', cwd: directory.path },
  );
  await directory.remove();
  return stdout;
}

const isWorkload = (resource: Resource): resource is Resource & (Deployment | Job) =>
  resource.kind === 'Deployment' || resource.kind === 'Job';

describe('the manifests for Kubernetes', () => {
  let all: Resource[];
  let settings: Record<string, string>;
  before(async () => {
    all = await resources();
    const text = await readFile(join(manifests, 'settings.env'), 'utf8');
    settings = Object.fromEntries(
      text
        .trim()
        .split('\n')
        .filter((line) => !line.startsWith('#'))
        .map((line) => line.split(/=(.*)/s).slice(0, 2)),
    );
  });
  const pods = () =>
    all.filter(isWorkload).map((resource) => {
      const pod = resource.spec!.template.spec!;
      const [container] = pod.containers;
      return { resource, name: resource.metadata.name, pod, container: container! };
    });

  it('are of the types of the Kubernetes API', async () => {
    assert.equal(await typeErrors(all), '');
    const wrong = structuredClone(all.filter(({ kind }) => kind === 'Deployment'));
    Object.assign(wrong[0]!, { sepc: {} });
    assert.match(await typeErrors(wrong), /"sepc"' does not exist/);
  });

  it('give each process settings that it takes, and secrets from files', async () => {
    const directory = await temporaryDirectory();
    const secrets = {
      'database-url': 'postgres://clips:secret@postgres/clips',
      's3-access-key-id': 'access-key',
      's3-secret-access-key': 'secret-key',
      'api-key': 'a-key-of-sixteen-letters',
    };
    for (const [name, secret] of Object.entries(secrets)) {
      await writeFile(join(directory.path, name), secret);
    }
    for (const { name, container } of pods()) {
      const own = Object.fromEntries(
        (container.env ?? []).map((one) => [one.name, one.value ?? '']),
      );
      const [role = ''] = container.args ?? [];
      const environment = Object.fromEntries(
        Object.entries({ ...settings, ...own, ROLE: role === 'migrate' ? 'api' : role }).map(
          ([key, value]) => [key, value.replace('/secrets/', `${directory.path}/`)],
        ),
      );
      const config = readEnvironment(environment);
      assert.equal(config.databaseUrl, secrets['database-url'], name);
      assert.equal(config.s3?.secretAccessKey, secrets['s3-secret-access-key']);
      for (const secret of Object.values(secrets)) {
        assert.ok(!JSON.stringify(all).includes(`"${secret}"`));
      }
    }
    await directory.remove();
  });

  it('run no process that needs rights, a disk of its image, or settings of others', () => {
    assert.equal(pods().length, 3);
    for (const { name, pod, container } of pods()) {
      assert.deepEqual(pod.securityContext?.runAsNonRoot, true, name);
      assert.equal(pod.automountServiceAccountToken, false);
      assert.equal(pod.enableServiceLinks, false, 'CLIP_API_PORT would be no setting');
      assert.deepEqual(container.securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      const written = pod.volumes?.filter(({ emptyDir }) => emptyDir).map((volume) => volume.name);
      assert.deepEqual(written, ['data', 'tmp']);
      const mounted = container.volumeMounts?.map(({ mountPath }) => mountPath);
      assert.deepEqual(mounted, [settings['DATA_DIR'], '/tmp', '/secrets']);
    }
  });

  it('wait longer for the end of a process than it drains', () => {
    for (const { resource, pod, container } of pods()) {
      if (resource.kind === 'Job') continue;
      const seconds = (container.env ?? [])
        .filter(({ name }) => name.startsWith('DRAIN_'))
        .map(({ value }) => Number(value));
      assert.ok(seconds.length > 0);
      assert.ok(pod.terminationGracePeriodSeconds! > Math.max(...seconds) + 20);
    }
  });

  it('ask a process whether it lives and is ready on the port that answers that', () => {
    for (const { container, name } of pods().filter(({ resource }) => resource.kind !== 'Job')) {
      const port = container.ports?.find((one) => one.name === 'metrics')?.containerPort;
      assert.equal(String(port), settings['METRICS_PORT']);
      const asked = (probe?: Probe) => [probe?.httpGet?.path, probe?.httpGet?.port];
      assert.deepEqual(asked(container.startupProbe), ['/livez', 'metrics'], name);
      assert.deepEqual(asked(container.livenessProbe), ['/livez', 'metrics']);
      assert.deepEqual(asked(container.readinessProbe), ['/readyz', 'metrics']);
    }
  });

  const noKubectl = spawnSync('kubectl', ['version', '--client']).error && 'kubectl is not here';
  it(
    'are put together by kustomize, with and without autoscaling',
    { skip: noKubectl },
    async () => {
      const directory = await temporaryDirectory();
      after(() => directory.remove());
      await cp(manifests, join(directory.path, 'base'), { recursive: true });
      const built = async (components: readonly string[]): Promise<Resource[]> => {
        const kustomization = { resources: ['base'], components };
        await writeFile(join(directory.path, 'kustomization.yaml'), JSON.stringify(kustomization));
        const { stdout, stderr } = spawnSync('kubectl', ['kustomize', directory.path], {
          encoding: 'utf8',
        });
        assert.equal(stderr, '');
        return documents(stdout);
      };
      const plain = await built([]);
      assert.equal(await typeErrors(plain), '');
      const kinds = plain.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort();
      assert.match(
        kinds.join(', '),
        /ConfigMap clip-service-\w+, Deployment clip-api, Deployment clip-worker, Job clip-migrate, PodDisruptionBudget clip-api/,
      );
      const scaled = await built(['base/autoscaling']);
      const worker = scaled.find(
        ({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'clip-worker',
      ) as Deployment;
      assert.equal(worker.spec!.replicas, undefined);
      assert.ok(scaled.some(({ kind }) => kind === 'HorizontalPodAutoscaler'));
    },
  );

  it('name the image once', async () => {
    const { images } = parse(await readFile(join(manifests, 'kustomization.yaml'), 'utf8'));
    for (const { container } of pods()) assert.equal(container.image, images[0].name);
  });
});
