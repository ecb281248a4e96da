import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Export } from 'clip-kit/contract';
import { SignJWT } from 'jose';
import { serviceWords } from '../../../host/src/routes/routes.ts';
import { hostSecrets } from '../../src/operations/commands/organizations.ts';
import { CommandError } from '../../src/operations/commands/command.ts';
import type { QuietWorld } from '../support/quiet-world.ts';

const page = 'https://www.example.com';

/** A session as a site signs it. */
function sign(secret: string, sub: string, claims: object = {}): Promise<string> {
  const iat = Math.floor(Date.now() / 1000);
  return new SignJWT({ aud: 'clip-host', sub, iat, exp: iat + 300, ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(secret));
}

/** The host that the service carries. */
export function hostSuite(world: () => QuietWorld): void {
  describe('the host at /host/{organization_id}', () => {
    let organization: string;
    let secret: string;
    const run = (words: string) =>
      hostSecrets.run(world().jobs.service.db, { words: words.split(' '), options: {} }, {});
    const create = async (id: string): Promise<string> => {
      const made = (await run(`create ${id}`)) as { secret: string }[];
      return made[0]!.secret;
    };
    before(async () => {
      organization = (await world().createOrganization('With a site')).id;
      secret = await create(organization);
      await run(`origins ${organization} ${page}`);
    });
    const send = async (
      path: string,
      {
        user = 'ann',
        at = organization,
        by = secret,
        origin = page,
        ...init
      }: RequestInit & { user?: string; at?: string; by?: string; origin?: string | null } = {},
    ): Promise<Response> =>
      world().fetch(`${world().url}/host/${at}${path}`, {
        ...init,
        headers: {
          Authorization: `Bearer ${await sign(by, user)}`,
          ...(origin !== null && { Origin: origin }),
          ...(init.body && { 'Content-Type': 'application/json' }),
          ...init.headers,
        },
      });
    const exportsOf = async (user: string): Promise<Export[]> =>
      (await (await send('/exports', { user })).json()) as Export[];
    /** The user of the service who stands for a user of the site. */
    const managed = async (user: string): Promise<string> => {
      const { status } = await send('/exports', { user });
      assert.equal(status, 200);
      const { db } = world().jobs.service;
      const stored = await db
        .selectFrom('users')
        .select('id')
        .where('organization_id', '=', organization)
        .where('is_guest', '=', true)
        .orderBy('created_at', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow();
      return stored.id;
    };
    const start = (project: string, key: string, user: string): Promise<Response> =>
      send('/exports', {
        user,
        method: 'POST',
        headers: { 'Idempotency-Key': key },
        body: JSON.stringify({ project_id: project }),
      });

    it('serves the users of the site, each their own, without a key', async () => {
      const bob = await managed('bob');
      const { projectId } = await world().addClip({ userId: bob });
      const started = await start(projectId, 'attempt-bob', 'bob');
      assert.equal(started.status, 201, await started.clone().text());
      const { id } = (await started.json()) as Export;
      assert.deepEqual(
        (await exportsOf('bob')).map((one) => one.id),
        [id],
      );
      assert.deepEqual(await exportsOf('ann'), []);
      // The same attempt is not paid for twice.
      const again = await start(projectId, 'attempt-bob', 'bob');
      assert.deepEqual([again.status, ((await again.json()) as Export).id], [200, id]);
    });

    it('gives the file of an export by an address of its own', async () => {
      const carl = await managed('carl');
      const { projectId } = await world().addClip({ userId: carl });
      const { id } = (await (await start(projectId, 'attempt-carl', 'carl')).json()) as Export;
      await world().finish(id);
      const granted = await send(`/exports/${id}/download`, {
        user: 'carl',
        method: 'POST',
        body: JSON.stringify({ project_id: projectId }),
      });
      assert.equal(granted.status, 201, await granted.clone().text());
      const { url } = (await granted.json()) as { url: string };
      assert.ok(
        url.startsWith(`${world().url}/host/${organization}/exports/${id}/download?grant=`),
      );
      // As a browser follows a link.
      const file = await world().fetch(url);
      assert.equal(file.status, 200);
      assert.match(file.headers.get('Content-Disposition')!, /^attachment/);
      assert.equal(file.headers.get('Content-Type'), 'video/mp4');
      assert.ok((await file.arrayBuffer()).byteLength > 1000);
    });

    it('lets the pages of its origins read the answers, without cookies', async () => {
      const { headers } = await send('/exports');
      assert.equal(headers.get('Access-Control-Allow-Origin'), page);
      assert.equal(headers.get('Access-Control-Allow-Credentials'), null);
      const other = await send('/exports', { origin: 'https://evil.example' });
      assert.equal(other.status, 403);
      assert.equal(other.headers.get('Access-Control-Allow-Origin'), null);
    });

    it('refuses the sessions of another organization', async () => {
      const other = await world().createOrganization('Another');
      const otherSecret = await create(other.id);
      const { status } = await send('/exports', { by: otherSecret });
      assert.equal(status, 401);
      // The same user of two sites is two users.
      const bob = { at: other.id, by: otherSecret, user: 'bob' };
      assert.equal((await send('/exports', bob)).status, 403, 'its pages have no origin yet');
    });

    it('knows the same id of two sites as two users', async () => {
      const other = await world().createOrganization('A third');
      const bob = { at: other.id, by: await create(other.id), user: 'bob', origin: null };
      const answer = await send('/exports', bob);
      assert.deepEqual([answer.status, await answer.json()], [200, []]);
    });

    it('says how it is set up where it is not', async () => {
      const empty = await world().createOrganization('Without a site');
      for (const [path, detail] of [
        [`/host/${empty.id}/exports`, /clip-service host-secrets create/],
        ['/host/exports', /set HOST_SECRETS and HOST_ORIGINS/],
      ] as const) {
        const answer = await world().fetch(world().url + path);
        assert.equal(answer.status, 404);
        assert.match(((await answer.json()) as { detail: string }).detail, detail);
      }
    });

    it('has two secrets while one is replaced', async () => {
      const { id } = await world().createOrganization('That replaces');
      const first = await create(id);
      await assert.rejects(run(`remove-previous ${id}`), CommandError);
      const second = await create(id);
      await run(`origins ${id} ${page}`);
      for (const by of [first, second]) {
        assert.equal((await send('/exports', { at: id, by })).status, 200);
      }
      const listed = JSON.stringify(
        await hostSecrets.run(world().jobs.service.db, { words: [], options: {} }, {}),
      );
      assert.match(listed, new RegExp(`"organization":"${id}","secrets":2,"origins":"${page}"`));
      assert.ok(!listed.includes(second));
      await run(`remove-previous ${id}`);
    });

    it('answers 4xx to what cannot be an id, wherever it stands, and logs no error', async () => {
      const { projectId: clip } = await world().addClip({ userId: await managed('eve') });
      const before = world().jobs.log.length;
      const faults: string[] = [];
      let keys = 0;
      for (const word of [
        ...serviceWords,
        ...['.', '..', 'a/b', '\0', '\ud800', 'é', 'x'.repeat(3000), '?a=b', '%2e', '__proto__'],
      ]) {
        const id = word.isWellFormed() ? encodeURIComponent(word) : '%ed%a0%80';
        const calls: (readonly [method: string, path: string, body?: unknown])[] = [
          ...['GET', 'DELETE', 'PATCH'].flatMap((method) =>
            ['projects', 'tasks', 'exports', 'uploads'].map((kind): [string, string] => [
              method,
              `/${kind}/${id}`,
            ]),
          ),
          ['GET', `/${id}`],
          ['GET', `/projects?folder_id=${id}`],
          ['GET', `/projects/${id}?folder_id=${clip}`],
          ['GET', `/projects/${clip}?folder_id=${id}`],
          ['POST', `/projects/${id}`, { start: 0, end: 20 }],
          ['POST', `/projects/${id}/copy`, {}],
          ['POST', `/projects/${id}/links`, {}],
          ['GET', `/projects/${id}/allowance`],
          ['GET', `/projects/${id}/edit`],
          ['PATCH', `/projects/${id}/edit`, { changes: {} }],
          ['POST', `/tasks/${id}/words`, {}],
          ['POST', `/tasks/${id}/more`, {}],
          ['GET', `/tasks?cursor=${id}`],
          ['GET', `/exports?folder_id=${id}`],
          ['GET', `/exports?project_id=${id}`],
          ['GET', `/exports?id=${id}`],
          ...[`${id}?project_id=${clip}`, `x?project_id=${id}`].flatMap((path) => [
            ['GET', `/exports/${path}`] as const,
            ['GET', `/exports/${path}&folder_id=${clip}`] as const,
            ['GET', `/exports/${path.replace('?', '/download?')}`] as const,
          ]),
          ['POST', `/exports/x/download`, { project_id: word, folder_id: clip }],
          ['POST', '/exports', { project_id: word }],
          ['POST', '/exports', { project_id: word, folder_id: clip }],
          ['POST', '/exports', { project_id: clip, folder_id: word }],
          ['POST', '/exports', { project_id: clip, preset_id: word }],
          ['POST', '/uploads', { name: word, size: -1 }],
        ];
        for (const [method, path, body] of calls) {
          const { status } = await send(path, {
            user: 'eve',
            method,
            headers: {
              'Content-Type': 'application/json',
              'Idempotency-Key': `key-${(keys += 1)}-of-eve`,
              'If-Match': '"1"',
            },
            ...(body !== undefined && { body: JSON.stringify(body) }),
          });
          if (status >= 500) faults.push(`${status} ${method} ${path}`);
        }
      }
      assert.deepEqual(faults, []);
      const logged = world().jobs.log.slice(before);
      assert.deepEqual(
        logged.filter(({ level }) => level === 'error'),
        [],
      );
    });

    it('knows every word in the addresses of the service as no id', async () => {
      const { body: description } = await world().get('/openapi.json');
      // No address of the host leads to webhooks, whatever the id.
      const paths = Object.keys(description.paths).filter((path) => !path.startsWith('/webhooks'));
      const words = paths.flatMap((path) => path.split('/').slice(2));
      const literal = words.filter((word) => !word.startsWith('{'));
      assert.deepEqual([...new Set(literal)].toSorted(), [...serviceWords].toSorted());
    });

    it('takes an origin, and no address', async () => {
      for (const origin of [
        'www.example.com',
        `${page}/clips`,
        'ftp://example.com',
        '*',
        'https://*.example',
      ]) {
        await assert.rejects(run(`origins ${organization} ${origin}`), /is not an origin/);
      }
    });

    it('is the one of the environment at /host', async () => {
      const own = 'a secret of the environment, of 32 bytes';
      const hostSite = { secrets: [own], origins: [page] };
      const headers = { Authorization: `Bearer ${await sign(own, 'ann')}`, Origin: page };
      // Also behind a proxy that has it below a path.
      for (const publicUrl of [world().url, 'https://example.com/clips']) {
        const calls = world().calls({ hostSite, publicUrl: () => publicUrl });
        const answer = await calls.request('/host/exports', { headers });
        assert.equal(answer.status, 200, await answer.text());
      }
    });
  });
}
