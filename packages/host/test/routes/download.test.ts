import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Export } from 'clip-kit/contract';
import { sendFile } from 'clip-testkit/fake-file';
import type { FakeService } from 'clip-testkit/fake-service';
import { HostWorld, type HostWorldOptions } from 'clip-testkit/host-world';

async function open(t: TestContext, options: HostWorldOptions = {}) {
  const world = await HostWorld.open(t, options);
  const { service } = world;
  const { world: inside } = service;
  const project = inside.projects.get(await world.clip())!;
  const one = inside.addExport(await world.managed(), project);
  const change = (more: Partial<Export>): void => {
    inside.exports.set(one.id, { ...inside.exports.get(one.id)!, ...more });
  };
  const path = `/clips/exports/${one.id}/download?project_id=${project.id}`;
  return { world, service, inside, one, change, path, text: `mp4 of ${one.id}` };
}

const named = `attachment; filename="Clip_no._1.mp4"; filename*=UTF-8''Clip%20no.%201.mp4`;

async function attached(response: Response, text: string, status = 200) {
  assert.equal(response.status, status);
  assert.equal(response.headers.get('Content-Type'), 'video/mp4');
  assert.equal(response.headers.get('Content-Disposition'), named);
  assert.equal(response.headers.get('Content-Length'), String(text.length));
  assert.equal(response.headers.get('Accept-Ranges'), 'bytes');
  assert.equal(response.headers.get('Set-Cookie'), null);
  assert.equal(await response.text(), text);
}

describe('GET {endpoint}/exports/{export_id}/download', () => {
  it('gives the file at the public URL of a ready export, with its name', async (t) => {
    const { world, service, inside, one, path, text } = await open(t);
    inside.finish(one.id);
    await attached(await world.call('GET', path), text);
    assert.equal(service.sent('GET', /download$/).length, 0);
    const [asked] = service.fileRequests;
    assert.equal(asked!.headers['authorization'], undefined);
    assert.equal(asked!.headers['cookie'], undefined);
    assert.equal(asked!.headers['accept-encoding'], 'identity');
  });

  it('gives it the name that the page asks for', async (t) => {
    const { world, inside, one, path } = await open(t);
    inside.finish(one.id);
    const response = await world.call(
      'GET',
      `${path}&name=${encodeURIComponent('Hafen "ö"\r\n.mp4')}`,
    );
    assert.equal(
      response.headers.get('Content-Disposition'),
      `attachment; filename="Hafen______.mp4"; filename*=UTF-8''Hafen%20_%C3%B6___.mp4`,
    );
    const plain = await world.call('GET', `${path}&name=`);
    assert.equal(plain.headers.get('Content-Disposition'), named);
  });

  it('takes a public URL with other letters', async (t) => {
    const { world, service, inside, one, change, path } = await open(t);
    inside.finish(one.id);
    change({ src_url: `${service.origin}/files/Hafen ö 港.mp4` });
    const response = await world.call('GET', path);
    assert.equal(await response.text(), 'mp4 of Hafen%20%C3%B6%20%E6%B8%AF');
  });

  it('waits while the export renders, then gives the service’s own download', async (t) => {
    const { world, service, inside, one, path, text } = await open(t);
    const held = service.hold('GET', /download$/);
    const response = world.call('GET', path);
    await held.arrived;
    held.release();
    inside.finish(one.id);
    await attached(await response, text);
    assert.equal(service.requests.at(-1)!.headers['accept-encoding'], 'identity');
  });

  for (const src_url of ['javascript:alert(1)', 'data:text/html,x', '/relative', 'file:///etc']) {
    it(`takes the service’s own download instead of ${src_url}`, async (t) => {
      const { world, inside, one, change, path, text } = await open(t);
      inside.finish(one.id);
      change({ src_url });
      await attached(await world.call('GET', path), text);
    });
  }

  for (const [fault, answer] of Object.entries({
    'is gone': (_, response) => response.writeHead(404).end('gone'),
    'is a page': (_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end(),
    'breaks off': (_, response) => response.destroy(),
    'redirects for ever': (_, response) => response.writeHead(302, { Location: '?' }).end(),
    'redirects into the computer': (_, response) =>
      response.writeHead(302, { Location: 'file:///etc/passwd' }).end(),
    'sends an encoded range': (_, response) =>
      response.writeHead(206, { 'Content-Encoding': 'gzip' }).end(gzipSync('mp4')),
  } satisfies Record<string, FakeService['answerFile']>)) {
    it(`takes the service’s own download if the public URL ${fault}`, async (t) => {
      const { world, service, inside, one, path, text } = await open(t);
      inside.finish(one.id);
      service.answerFile = answer;
      await attached(await world.call('GET', path), text);
      assert.ok(service.fileRequests.length <= 6);
    });
  }

  it('follows a redirect of the public URL', async (t) => {
    const { world, service, inside, one, path } = await open(t);
    inside.finish(one.id);
    service.answerFile = (request, response) => {
      if (request.url?.endsWith('/moved')) sendFile(request, response, 'moved');
      else response.writeHead(307, { Location: '/files/moved' }).end();
    };
    await attached(await world.call('GET', path), 'moved');
  });

  it('gives all of a file that is encoded although that was not asked for', async (t) => {
    const { world, service, inside, one, path } = await open(t);
    inside.finish(one.id);
    const bytes = gzipSync('mp4 '.repeat(1250));
    const head = { 'Content-Encoding': 'gzip', 'Content-Length': bytes.length };
    service.answerFile = (_, response) => response.writeHead(200, head).end(bytes);
    const response = await world.call('GET', path);
    assert.equal(response.headers.get('Content-Length'), null);
    assert.equal(response.headers.get('Content-Encoding'), null);
    assert.equal((await response.text()).length, 5000);
  });

  for (const from of ['the public URL', 'the service’s own download']) {
    describe(`ranges of ${from}`, () => {
      const openReady = async (t: TestContext) => {
        const opened = await open(t);
        opened.inside.finish(opened.one.id);
        if (from !== 'the public URL') opened.change({ src_url: null });
        return opened;
      };

      it('resume a download that was interrupted', async (t) => {
        const { world, path, text } = await openReady(t);
        const whole = await world.call('GET', path);
        const etag = whole.headers.get('ETag')!;
        await attached(whole, text);
        const rest = await world.call('GET', path, {
          headers: { Range: 'bytes=4-', 'If-Range': etag },
        });
        assert.equal(
          rest.headers.get('Content-Range'),
          `bytes 4-${text.length - 1}/${text.length}`,
        );
        assert.equal(rest.headers.get('ETag'), etag);
        await attached(rest, text.slice(4), 206);
      });

      it('are the whole file if it has changed', async (t) => {
        const { world, path, text } = await openReady(t);
        const headers = { Range: 'bytes=4-', 'If-Range': '"old"' };
        await attached(await world.call('GET', path, { headers }), text);
      });

      it('are 416 beyond its end', async (t) => {
        const { world, path, text } = await openReady(t);
        const headers = { Range: 'bytes=4000-' };
        const response = await world.call('GET', path, { headers });
        assert.equal(response.status, 416);
        assert.equal(response.headers.get('Content-Range'), `bytes */${text.length}`);
        assert.equal(response.headers.get('Content-Disposition'), null);
        assert.equal(await response.text(), '');
      });

      it('HEAD says how long it is', async (t) => {
        const { world, path, text } = await openReady(t);
        const response = await world.call('HEAD', path, { headers: { 'Sec-Fetch-Site': null } });
        assert.equal(response.status, 200);
        assert.equal(response.headers.get('Content-Length'), String(text.length));
        assert.equal(response.headers.get('Content-Disposition'), named);
        assert.equal(response.body, null);
      });
    });
  }

  for (const type of ['application/json', 'application/problem+json; charset=utf-8', 'text/html']) {
    it(`never passes ${type} on as a video`, async (t) => {
      const { world, inside, one, change, path } = await open(t);
      inside.finish(one.id);
      change({ src_url: null });
      world.service.order({
        method: 'GET',
        path: /download$/,
        how: {
          status: 200,
          body: { url: 'https://files.example' },
          headers: { 'Content-Type': type },
        },
      });
      await world.problem(502, 'service-error', 'GET', path);
    });
  }

  it('is 504 for a failed export', async (t) => {
    const { world, inside, one, path } = await open(t);
    inside.finish(one.id, 'error');
    const problem = await world.problem(504, 'service-timeout', 'GET', path);
    assert.equal(problem.unknown_outcome, undefined);
  });

  it('is 404 for another user’s', async (t) => {
    const { world, service, inside, one, path } = await open(t);
    inside.finish(one.id);
    await world.problem(404, 'export-not-found', 'GET', path, { user: 'bob' });
    assert.equal(service.sent('GET', /download$/).length + service.fileRequests.length, 0);
  });

  it('ends with the page that leaves', async (t) => {
    const { world, path } = await open(t);
    const held = world.service.hold('GET', /download$/);
    const page = new AbortController();
    const call = world.call('GET', path, { signal: page.signal });
    await held.arrived;
    page.abort();
    await held.left;
    await call;
  });
});
