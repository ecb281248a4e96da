import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, mock } from 'node:test';
import { extract } from '@extractus/oembed-extractor';
import { projectSchema, type Project } from 'clip-kit/contract';
import openGraph from 'open-graph-scraper';
import { waitFor } from 'clip-testkit/wait-for';
import { probe } from 'clip-testkit/footage';
import { heldPrograms, type HeldPrograms } from 'clip-testkit/held-programs';
import { assertProblem, eventually, World } from 'clip-testkit/world';

describe('what a clip shows to everyone (4.13)', () => {
  const path = process.env['PATH'];
  let directory: string;
  let programs: HeldPrograms;
  let world: World;
  let user: string;
  /** The tasks, each with its clips as they were first listed. */
  const made: Record<'shorts' | 'whole', { task: string; clips: Project[] }> = {
    shorts: { task: '', clips: [] },
    whole: { task: '', clips: [] },
  };
  /** The answers to the first request for each poster, by the clip's id. */
  const firstPosters = new Map<string, Response>();

  const page = (id: string) => `${world.service.url}/player/${id}`;
  const posterOf = (id: string, headers: Record<string, string> = {}) =>
    fetch(`${page(id)}/poster.jpg`, { headers });
  const openGraphOf = async (id: string) => {
    const html = await (await fetch(page(id))).text();
    return { html, ...(await openGraph({ html })).result };
  };
  const stateOf = async (id: string) => (await fetch(`${page(id)}/state`)).json();

  /** Asks for the posters at the moment the clips are listed. */
  async function listed(kind: keyof typeof made, outputId: string): Promise<void> {
    let clips: Project[] = [];
    const look = async () => {
      const { status, body } = await world.get(`/projects/${outputId}`, { as: user });
      clips = status === 200 ? [body].flat().map((one) => projectSchema.parse(one)) : [];
      return clips.length > 0;
    };
    await waitFor(
      'the clips',
      look,
      async () => (await world.get(`/tasks/${made[kind].task}`, { as: user })).body,
    );
    made[kind].clips = clips;
    await Promise.all(
      clips.map(async ({ id, poster_url }) => firstPosters.set(id, await fetch(poster_url!))),
    );
  }

  async function begin(kind: keyof typeof made, body: Record<string, unknown>): Promise<void> {
    const type = kind === 'shorts' ? 'video-to-shorts' : 'video-to-video';
    await programs.pause(kind, '-b:a 96k');
    const created = await world.post(`/tasks/${type}`, body, { as: user });
    assert.equal(created.status, 201, JSON.stringify(created.body));
    made[kind].task = created.body.id;
    await listed(kind, created.body.output_id);
    await programs.reached(kind);
  }

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'clip-player-'));
    programs = await heldPrograms(directory);
    process.env['PATH'] = programs.path;
    world = await World.start({ concurrency: 1 });
    user = await world.user();
    const dimensions = { width: 54, height: 96 };
    await begin('shorts', world.shorts({ dimensions, language: 'en' }));
  });
  after(async () => {
    process.env['PATH'] = path;
    await programs?.release();
    await world?.close();
    await rm(directory, { recursive: true, force: true });
  });

  /** The clip whose preview is held. */
  const clip = () => made.shorts.clips[0]!;

  describe('while the preview is being made', () => {
    it('each clip has its poster from the moment that it is listed', async () => {
      assert.equal(made.shorts.clips.length, 2);
      for (const { id } of made.shorts.clips) {
        const answer = firstPosters.get(id)!;
        assert.equal(answer.status, 200);
        assert.equal(answer.headers.get('content-type'), 'image/jpeg');
        assert.equal(answer.headers.get('cache-control'), 'public, max-age=0, must-revalidate');
        const file = join(directory, `${id}.jpg`);
        await writeFile(file, Buffer.from(await answer.arrayBuffer()));
        const { width, height } = await probe(file);
        assert.deepEqual([width, height], [54, 96]);
        const etag = answer.headers.get('etag')!;
        assert.equal((await posterOf(id, { 'If-None-Match': etag })).status, 304);
      }
    });

    it('its project has the address of the poster, size and duration', () => {
      const { id, poster_url, width, height, duration } = clip();
      assert.equal(poster_url, `${page(id)}/poster.jpg`);
      assert.deepEqual([width, height], [54, 96]);
      assert.ok(duration! >= 3 && duration! <= 5);
    });

    it('its page has the poster and no video', async () => {
      const { state, poster, video } = await stateOf(clip().id);
      assert.deepEqual([state, video], ['preparing', null]);
      assert.equal((await fetch(`${world.service.url}/${poster}`)).status, 200);
      const result = await openGraphOf(clip().id);
      assert.equal(result.ogVideo, undefined);
      assert.equal(result.ogImage?.[0]?.url, `${page(clip().id)}/poster.jpg`);
    });

    it('one that a person opens does not wait for it', async () => {
      const opened = made.shorts.clips[1]!.id;
      assert.equal((await fetch(page(opened))).status, 200);
      await eventually(async () => assert.equal((await stateOf(opened)).state, 'ready'));
      assert.equal((await stateOf(clip().id)).state, 'preparing');
    });
  });

  describe('when the preview is ready', () => {
    before(async () => {
      await programs.resume('shorts');
      await world.finishTask(made.shorts.task, user);
    });

    it('the framed poster has taken the place of the first one', async () => {
      for (const { id } of made.shorts.clips) {
        const before = firstPosters.get(id)!.headers.get('etag')!;
        const answer = await posterOf(id, { 'If-None-Match': before });
        assert.equal(answer.status, 200);
        assert.notEqual(answer.headers.get('etag'), before);
        assert.equal(answer.headers.get('cache-control'), 'public, max-age=300');
      }
      await eventually(async () =>
        assert.deepEqual(await world.kept(`files/posters/${made.shorts.task}`), []),
      );
    });

    it('Open Graph and a card tell of it, with everything escaped', async () => {
      const { id, name } = clip();
      const { state, video } = await stateOf(id);
      assert.equal(state, 'ready');
      const { html, ...result } = await openGraphOf(id);
      assert.deepEqual(
        {
          ...{ title: result.ogTitle, type: result.ogType, url: result.ogUrl },
          ...{ image: result.ogImage, video: result.ogVideo, card: result.twitterCard },
        },
        {
          ...{ title: name, type: 'video.other', url: page(id) },
          image: [
            {
              ...{ url: `${page(id)}/poster.jpg`, width: '54', height: '96' },
              ...{ type: 'image/jpeg', alt: name },
            },
          ],
          video: [
            {
              ...{ url: `${world.service.url}/${video}`, width: '54', height: '96' },
              type: 'video/mp4',
            },
          ],
          card: 'summary_large_image',
        },
      );
      assert.equal((await fetch(result.ogVideo![0]!.url)).status, 200);
      assert.match(html, /<meta name="robots" content="noindex" \/>/);
    });

    describe('the call behind the embed page', () => {
      let token: string;
      before(async () => {
        token = await world.token(user);
      });
      const ask = async (given: string | null, id = clip().id) => {
        const response = await fetch(`${world.service.url}/embed-api/projects/${id}`, {
          ...(given !== null && { headers: { Authorization: `Bearer ${given}` } }),
        });
        // Its page has no origin if the frame has a sandbox.
        assert.equal(response.headers.get('access-control-allow-origin'), '*');
        return { status: response.status, body: await response.json() };
      };

      it('gives the clip to its user, and the newest export once it is ready', async () => {
        const { id, name, virality_score, virality_score_explanation } = clip();
        const { status, body } = await ask(token);
        assert.equal(status, 200);
        assert.deepEqual(
          [body.state, body.name, body.score, body.explanation, body.download_url],
          ['ready', name, virality_score, virality_score_explanation, null],
        );
        const video = await fetch(`${world.service.url}/${body.video}`, {
          headers: { Range: 'bytes=4-7' },
        });
        assert.deepEqual([video.status, await video.text()], [206, 'ftyp']);
        const started = await world.post(`/projects/${id}/exports`, {}, { as: user });
        const { src_url } = await world.finishExport(started.body, user);
        const { download_url } = (await ask(token)).body;
        assert.equal(`${world.service.url}/${download_url}`, src_url);
      });

      it('says why a token is refused', async () => {
        mock.timers.enable({ apis: ['Date'], now: Date.now() - 2 * 60 * 60 * 1000 });
        const expired = await world.token(user).finally(() => mock.timers.reset());
        for (const [given, reason] of [
          [null, 'token-missing'],
          ['a.b.c', 'token-invalid'],
          [world.key, 'token-invalid'],
          [expired, 'token-expired'],
        ] as const) {
          const { status, body } = await ask(given);
          assert.deepEqual([status, body.code, body.reason], [401, 'unauthenticated', reason]);
        }
      });

      it('is 404 for an unknown clip, and for one of another user', async () => {
        const other = await world.token(await world.user());
        for (const [given, id] of [
          [token, crypto.randomUUID()],
          [token, 'x'],
          [other, clip().id],
        ] as const) {
          assert.equal((await ask(given, id)).status, 404, id);
        }
      });
    });

    it('the embed page tells nothing of it', async () => {
      const html = await (await fetch(`${world.service.url}/embed/${clip().id}`)).text();
      assert.doesNotMatch(html, /og:|oembed|twitter:/);
      assert.match(html, /<meta name="robots" content="noindex" \/>/);
    });

    it('oEmbed is found in its page, and gives a frame of the page', async () => {
      const { id, name } = clip();
      const { method: _, ...answer } = await extract(page(id), { maxwidth: 320, maxheight: 320 });
      assert.deepEqual(answer, {
        ...{ version: '1.0', type: 'video', title: name, width: 180, height: 320 },
        provider_name: new URL(world.service.url).host,
        provider_url: `${world.service.url}/`,
        html: `<iframe src="${page(id)}?playsinline=1" width="180" height="320" title="${escaped(name)}" style="border:0" allow="autoplay; fullscreen; picture-in-picture" allowfullscreen></iframe>`,
        cache_age: 300,
        ...{ thumbnail_url: `${page(id)}/poster.jpg`, thumbnail_width: 54, thumbnail_height: 96 },
      });
    });

    it('its address may end with a slash', async () => {
      const answer = await fetch(`${page(clip().id)}/?lang=de`);
      assert.deepEqual([answer.status, answer.url], [200, `${page(clip().id)}?lang=de`]);
      assert.equal((await extract(`${page(clip().id)}/`)).title, clip().name);
    });

    it('consumers of oEmbed may ask for no width, and for a part of a pixel', async () => {
      const { id } = clip();
      const widthAt = async (box?: { maxwidth: number }): Promise<number> =>
        ((await extract(page(id), box)) as unknown as { width: number }).width;
      const free = await widthAt();
      assert.equal(await widthAt({ maxwidth: 0 }), free);
      assert.equal(await widthAt({ maxwidth: 100.9 }), 100);
    });

    it('its words are a WebVTT file in its own time', async () => {
      const { captions } = await stateOf(clip().id);
      assert.deepEqual(captions, {
        url: `player/${clip().id}/captions.vtt`,
        burnedIn: true,
        language: 'en',
      });
      const answer = await fetch(`${world.service.url}/${captions.url}`);
      assert.equal(answer.headers.get('content-type'), 'text/vtt; charset=utf-8');
      assert.match(await answer.text(), /^WEBVTT\n\n00:00:00\.\d{3} --> 00:00:0\d\.\d{3}\n\w/);
      const etag = answer.headers.get('etag')!;
      const again = await fetch(answer.url, { headers: { 'If-None-Match': etag } });
      assert.equal(again.status, 304);
    });
  });

  const escaped = (text: string): string =>
    text.replace(
      /[&<>"']/g,
      (sign) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' }[sign] ?? '#39'};`,
    );

  describe('a whole video', () => {
    const whole = () => made.whole.clips[0]!;
    before(async () => {
      const source_video_url = world.sources.at('talk.mp4');
      const editing_options = { captions: false, intro_title: false };
      const name = 'A "talk" & <more>';
      await begin('whole', world.whole({ source_video_url, editing_options, name }));
    });
    after(() => programs.resume('whole'));

    it('has its poster from the moment that its project is there', () => {
      assert.equal(whole().folder_id, null);
      assert.equal(firstPosters.get(whole().id)!.status, 200);
    });

    it('has its words as a file, too, if its pictures do not show them', async () => {
      const { captions } = await stateOf(whole().id);
      assert.equal(captions.burnedIn, false);
      const text = await (await fetch(`${world.service.url}/${captions.url}`)).text();
      assert.match(text, /00:00:00\.\d{3} --> [\d:.]+\nWhy do most people/);
      assert.match(text, /sleep eight hours/);
    });

    it('has its name escaped in every format of oEmbed', async () => {
      const query = new URLSearchParams({ url: page(whole().id), format: 'xml' });
      const answer = await fetch(`${world.service.url}/oembed?${query}`);
      assert.equal(answer.headers.get('content-type'), 'text/xml; charset=utf-8');
      const xml = await answer.text();
      assert.match(xml, /<title>A &quot;talk&quot; &amp; &lt;more&gt;<\/title>/);
      assert.match(xml, /<html>&lt;iframe src=&quot;http:/);
      assert.match(
        xml,
        /title=&quot;A &amp;quot;talk&amp;quot; &amp;amp; &amp;lt;more&amp;gt;&quot;/,
      );
      const json = await extract(page(whole().id));
      assert.match(String(json.html), /title="A &quot;talk&quot; &amp; &lt;more&gt;"/);
    });
  });

  it('what oEmbed cannot answer is refused', async () => {
    const ask = async (query: Record<string, string>) => {
      const answer = await fetch(`${world.service.url}/oembed?${new URLSearchParams(query)}`);
      const json = answer.headers.get('content-type')?.includes('json');
      const { status, headers } = answer;
      return { status, headers, body: json ? await answer.json() : await answer.text() };
    };
    const url = page(clip().id);
    const wrong: Record<string, string>[] = [
      {},
      { url: 'player/x' },
      { url: 'ftp://a.example/x' },
      { url, maxwidth: '-1' },
    ];
    for (const query of wrong) {
      assertProblem(await ask(query), 400, 'invalid-request');
    }
    for (const other of [
      page('00000000-0000-4000-8000-000000000000'),
      `https://other.example/player/${clip().id}`,
      url.replace('/player/', '/embed/'),
      `${url}/poster.jpg`,
    ]) {
      assertProblem(await ask({ url: other }), 404, 'clip-not-found');
    }
    assert.equal((await ask({ url, format: 'yaml' })).status, 501);
    assert.equal((await ask({ url: `${url}?lang=de` })).status, 200);
  });

  it('an unknown clip has no poster and no captions', async () => {
    for (const name of ['poster.jpg', 'captions.vtt']) {
      assert.equal((await fetch(`${page('nothing')}/${name}`)).status, 404);
    }
  });
});
