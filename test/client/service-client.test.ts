import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { ServiceClient } from '../../src/client/service-client.ts';
import { FakeService } from 'clip-testkit/fake-service';

const source_video_url = 'https://videos.example/talk.mp4';

let service: FakeService;
let client: ServiceClient;
let user: string;

before(async () => {
  service = await FakeService.open({ tokenPermissions: true });
  client = new ServiceClient({ baseUrl: service.baseUrl, apiKey: service.apiKey });
  user = (await client.createUser()).id;
});
after(() => service.close());
beforeEach(() => {
  service.requests.length = 0;
});

/** The only request that was sent. */
function sent() {
  assert.equal(service.requests.length, 1);
  return service.requests[0]!;
}

describe('ServiceClient: each call of section 4', () => {
  it('4.1 creates a task that makes shorts', async () => {
    const body = { source_video_url, max_clip_count: 3, editing_options: { emojis: false } };
    const task = await client.createVideoToShorts(body, { onBehalfOf: user });
    assert.deepEqual([task.type, task.status], ['video-to-shorts', 'processing']);
    assert.equal(task.output_type, 'folder');
    assert.deepEqual([sent().method, sent().path], ['POST', '/tasks/video-to-shorts']);
    // Omitted fields stay omitted: the defaults are the service's.
    assert.deepEqual(sent().body, body);
  });

  it('4.2 creates a task that edits one video', async () => {
    const body = { source_video_url, editing_options: {} };
    const task = await client.createVideoToVideo(body, { onBehalfOf: user });
    assert.equal(task.output_type, 'project');
    assert.deepEqual([sent().method, sent().path], ['POST', '/tasks/video-to-video']);
    assert.deepEqual(sent().body, body);
  });

  it('4.3 reads a task', async () => {
    const task = service.world.addTask(user, 'video-to-shorts');
    assert.equal((await client.getTask(task.id, { onBehalfOf: user })).id, task.id);
    assert.deepEqual([sent().method, sent().path], ['GET', `/tasks/${task.id}`]);
  });

  it('4.4 lists the projects of a folder', async () => {
    const project = service.world.addProject(user, 'folder-4.4');
    const projects = await client.listProjects('folder-4.4', { onBehalfOf: user });
    assert.deepEqual(projects, [project]);
    assert.deepEqual([sent().method, sent().path], ['GET', '/projects/folder-4.4']);
  });

  it('4.5 reads a project, in its folder or direct', async () => {
    const inside = service.world.addProject(user, 'folder-4.5');
    const direct = service.world.addProject(user);
    const clip = { projectId: inside.id, folderId: 'folder-4.5' };
    assert.deepEqual(await client.getProject(clip, { onBehalfOf: user }), inside);
    for (const folderId of [undefined, null]) {
      const found = await client.getProject(
        { projectId: direct.id, ...(folderId === undefined ? {} : { folderId }) },
        { onBehalfOf: user },
      );
      assert.deepEqual(found, direct);
      assert.equal(found.folder_id, null);
    }
    assert.deepEqual(
      service.requests.map(({ path }) => path),
      [`/projects/folder-4.5/${inside.id}`, `/projects/${direct.id}`, `/projects/${direct.id}`],
    );
  });

  it('4.6 starts an export of a clip, with an empty body or a watermark', async () => {
    const project = service.world.addProject(user);
    const watermark = { src_url: 'https://example.com/a.png', pos_x: 1 };
    await client.startExport({ projectId: project.id }, undefined, { onBehalfOf: user });
    await client.startExport({ projectId: project.id }, { watermark }, { onBehalfOf: user });
    assert.deepEqual(
      service.requests.map(({ method, path, body }) => [method, path, body]),
      [
        ['POST', `/projects/${project.id}/exports`, {}],
        ['POST', `/projects/${project.id}/exports`, { watermark }],
      ],
    );
    // Each call starts a new render: nothing is shared.
    assert.equal(service.world.exports.size, 2);
  });

  it('4.7 starts an export inside a folder', async () => {
    const project = service.world.addProject(user, 'folder-4.7');
    const started = await client.startExport(
      { projectId: project.id, folderId: 'folder-4.7' },
      {},
      { onBehalfOf: user },
    );
    assert.ok('project_id' in started);
    assert.deepEqual(
      [started.status, started.src_url, started.finished_at, started.folder_id],
      ['processing', null, null, 'folder-4.7'],
    );
    assert.equal(sent().path, `/projects/folder-4.7/${project.id}/exports`);
  });

  it('4.8 reads an export in both forms', async () => {
    const project = service.world.addProject(user, 'folder-4.8');
    const { id } = service.world.addExport(user, project);
    const clip = { projectId: project.id };
    assert.equal((await client.getExport(clip, id, { onBehalfOf: user })).status, 'processing');
    service.world.finish(id);
    const ready = await client.getExport({ ...clip, folderId: 'folder-4.8' }, id, {
      onBehalfOf: user,
    });
    assert.equal(ready.status, 'ready');
    assert.ok(ready.src_url && ready.finished_at);
    assert.deepEqual(
      service.requests.map(({ path }) => path),
      [`/projects/${project.id}/exports/${id}`, `/projects/folder-4.8/${project.id}/exports/${id}`],
    );
  });

  it('4.9 lists exports with each filter', async () => {
    const project = service.world.addProject(user, 'folder-4.9');
    const one = service.world.addExport(user, project);
    const options = { onBehalfOf: user };
    assert.ok((await client.listExports(undefined, options)).length > 1);
    assert.deepEqual(await client.listExports({ folder_id: 'folder-4.9' }, options), [one]);
    assert.deepEqual(await client.listExports({ project_id: project.id }, options), [one]);
    const both = { folder_id: 'a & b', project_id: 'ä' };
    assert.deepEqual(await client.listExports(both, options), []);
    assert.deepEqual(
      service.requests.map(({ path, query }) => path + query),
      [
        '/exports',
        '/exports?folder_id=folder-4.9',
        `/exports?project_id=${project.id}`,
        '/exports?folder_id=a+%26+b&project_id=%C3%A4',
      ],
    );
  });

  it('4.10 downloads, and waits while the export renders', async () => {
    const project = service.world.addProject(user);
    const { id } = service.world.addExport(user, project);
    const received = service.received();
    const waiting = client.download(project.id, id, { onBehalfOf: user });
    await received;
    service.world.finish(id);
    const response = await waiting;
    assert.equal(response.headers.get('Content-Type'), 'video/mp4');
    assert.equal(await response.text(), `mp4 of ${id}`);
    assert.equal(sent().path + sent().query, `/projects/${project.id}/download?export_id=${id}`);
  });

  it('4.10 downloads without an export id', async () => {
    const project = service.world.addProject(user);
    const { id } = service.world.addExport(user, project);
    const received = service.received();
    const waiting = client.download(project.id, null, { onBehalfOf: user });
    await received;
    service.world.finish(id);
    assert.equal(await (await waiting).text(), `mp4 of ${id}`);
    assert.equal(sent().query, '');
  });

  it('4.11 creates a managed user', async () => {
    const made = await client.createUser();
    assert.equal(made.isGuest, true);
    assert.deepEqual([sent().method, sent().path, sent().body], ['POST', '/users', {}]);
    assert.equal(sent().onBehalfOf, null);
  });

  it('4.12 issues a token', async () => {
    const answer = await client.createToken(user);
    assert.deepEqual(Object.keys(answer), ['external_access_token']);
    assert.deepEqual([sent().method, sent().path], ['POST', `/users/${user}/tokens`]);
    assert.deepEqual(sent().body, {});
  });

  it('4.12 issues a token that may not do everything', async () => {
    await client.createToken(user, { permissions: ['view'] });
    assert.deepEqual(sent().body, { permissions: ['view'] });
  });
});

describe('ServiceClient: what every call carries (5)', () => {
  it('the key as a bearer token, and whom it acts for', async () => {
    await client.listExports({}, { onBehalfOf: user });
    assert.equal(sent().keyWasRight, true);
    assert.equal(sent().onBehalfOf, user);
    assert.equal(sent().headers['accept'], 'application/json');
    assert.equal(sent().headers['content-type'], undefined);
  });

  it('no X-On-Behalf-Of unless it is asked for', async () => {
    await client.listExports();
    assert.equal('x-on-behalf-of' in sent().headers, false);
  });

  it('a JSON content type with a body', async () => {
    await client.createUser();
    assert.equal(sent().headers['content-type'], 'application/json');
  });
});

describe('ServiceClient: ids in paths', () => {
  it('are percent-encoded, each into one segment', async () => {
    const id = 'a/b?c=d#e%2f ü..';
    const project = service.world.addProject(user, 'f/g', { id });
    const clip = { projectId: id, folderId: 'f/g' };
    assert.equal((await client.getProject(clip, { onBehalfOf: user })).id, project.id);
    assert.equal(sent().path, '/projects/f%2Fg/a%2Fb%3Fc%3Dd%23e%252f%20%C3%BC..');
  });

  for (const id of ['', '.', '..', '\ud800']) {
    it(`${JSON.stringify(id)} is refused before anything is sent`, async () => {
      const refused = { name: 'TypeError', message: `${JSON.stringify(id)} is not an id` };
      await assert.rejects(client.getTask(id), refused);
      await assert.rejects(client.getExport({ projectId: 'p' }, id), refused);
      await assert.rejects(client.createToken(id), refused);
      await assert.rejects(client.download(id, null), refused);
      assert.equal(service.requests.length, 0);
    });
  }
});

describe('ServiceClient: options', () => {
  const apiKey = 'key';
  it('takes a base URL with or without a slash at its end', async () => {
    const slashed = new ServiceClient({
      baseUrl: `${service.baseUrl}//`,
      apiKey: service.apiKey,
    });
    await slashed.listExports();
    assert.equal(sent().path, '/exports');
  });
  for (const baseUrl of ['', 'clips.example/v2', 'ftp://clips.example', 'javascript:0']) {
    it(`refuses the base URL ${JSON.stringify(baseUrl)}`, () => {
      assert.throws(() => new ServiceClient({ baseUrl, apiKey }), TypeError);
    });
  }
  for (const wrong of ['', 'two words', 'line\nend', 'schlüssel', 'key\r\nX-Admin: 1']) {
    it(`refuses the key ${JSON.stringify(wrong)} without repeating it`, () => {
      assert.throws(
        () => new ServiceClient({ baseUrl: service.baseUrl, apiKey: wrong }),
        (error: Error) =>
          error instanceof TypeError && (wrong === '' || !error.message.includes(wrong)),
      );
    });
  }
});
