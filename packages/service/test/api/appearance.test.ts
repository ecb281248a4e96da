import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { brandFont } from 'clip-testkit/brand-font';
import { finished } from 'clip-testkit/settled';
import { testDatabase } from '../support/test-database.ts';
import { assertProblem, World, type Answer } from 'clip-testkit/world';

const look = {
  color_scheme: 'light',
  accent: '#0a7d55',
  surface: '#ffffff',
  text: '#123456',
  radius: 8,
  font: ['Marken Serif', 'serif'],
  logo_url: 'https://logo.example/a.svg',
};

describe('an organization’s appearance', () => {
  let world: World;
  /** Also run on a Postgres server: `npm run test:postgres`. */
  let database: Awaited<ReturnType<typeof testDatabase>> | null = null;
  before(async () => {
    if (process.env['TEST_DATABASE_URL']) database = await testDatabase();
    world = await World.start(database ? { databaseUrl: database.url } : {});
  });
  after(async () => {
    await world?.close();
    await database?.close();
  });

  const put = (body: unknown, options = {}) => world.call('PUT', '/appearance', body, options);
  const upload = (bytes: Uint8Array, headers: Record<string, string> = {}): Promise<Response> =>
    world.request('/v2/fonts', {
      method: 'POST',
      headers: { Authorization: `Bearer ${world.key}`, 'Content-Type': 'font/ttf', ...headers },
      body: Uint8Array.from(bytes),
    });
  const fields = ({ body }: Answer): string[] =>
    (body.errors ?? []).map(({ path }: { path: string }) => path);

  it('is nothing at first, and what was put since', async () => {
    const none = await world.get('/appearance');
    assert.deepEqual([none.status, none.body], [200, {}]);
    assert.equal((await put(look)).status, 200);
    assert.deepEqual((await world.get('/appearance')).body, look);
    assert.deepEqual((await put({ accent: '#ff0000' })).body, { accent: '#ff0000' });
    assert.deepEqual((await world.get('/appearance')).body, { accent: '#ff0000' });
  });

  it('refuses style text, addresses in it, and what is out of range', async () => {
    const bad: Record<string, readonly unknown[]> = {
      accent: ['red', '#fff', 'url(https://x.example/a)', '#12345g', 5],
      radius: [-1, 65, '8px'],
      'font.0': [['a";}'], ['url(x)'], [''], ['x'.repeat(65)]],
      font: [[], 'Inter', Array(9).fill('Inter')],
      logo_url: ['http://logo.example/a', 'javascript:alert(1)', 'https://x.example/"a', 'data:,'],
      color_scheme: ['normal', ''],
    };
    for (const [path, values] of Object.entries(bad)) {
      for (const value of values) {
        const answer = await put({ [path.split('.')[0]!]: value });
        assert.equal(answer.status, 400, `${path} ${JSON.stringify(value)}`);
        assert.ok(fields(answer).includes(path), `${path} ${JSON.stringify(answer.body)}`);
      }
    }
    assert.equal((await put({ css: 'body{}' })).status, 400);
  });

  it('is the organization’s: no managed user changes it, and no call without a key', async () => {
    const as = await world.user();
    assert.equal((await put(look, { as })).status, 403);
    assert.equal((await world.get('/fonts', { as })).status, 403);
    assert.equal((await put(look, { key: null })).status, 401);
    const method = await world.call('PATCH', '/appearance', {});
    assert.deepEqual([method.status, method.headers.get('allow')], [405, 'GET, HEAD, PUT']);
  });

  const style = async () => (await world.get('/style-presets/story')).body.style;
  const preset = async () => {
    const { captions, title } = await style();
    const font = 'Marken Serif';
    return {
      id: 'brand',
      name: 'Brand',
      description: 'Ours',
      style: { captions: { ...captions, font }, title: { ...title, font } },
    };
  };

  it('has style presets beside the built-in ones', async () => {
    const made = await world.post('/style-presets', await preset());
    assert.equal(made.status, 201);
    assert.equal(made.body.is_own, true);
    const list = (await world.get('/style-presets', { as: await world.user() })).body;
    assert.deepEqual(
      list.filter(({ is_own }: { is_own: boolean }) => is_own).map(({ id }: { id: string }) => id),
      ['brand'],
    );
    assert.ok(list.some(({ id }: { id: string }) => id === 'classic'));
    const patched = await world.call('PATCH', '/style-presets/brand', {
      name: 'Brand 2',
      style: { captions: { colour: '#ff0000', box: null } },
    });
    assert.equal(patched.status, 200, JSON.stringify(patched.body));
    const { name, style } = (await world.get('/style-presets/brand')).body;
    assert.deepEqual(
      [name, style.captions.colour, style.captions.box],
      ['Brand 2', '#ff0000', null],
    );
    assert.equal(style.captions.font, 'Marken Serif');
  });

  it('refuses presets that do not fit, twice the same, and changes of built-in ones', async () => {
    const good = await preset();
    const twice = await world.post('/style-presets', good);
    assert.deepEqual([twice.status, twice.body.reason], [422, 'preset-exists']);
    const builtIn = await world.post('/style-presets', { ...good, id: 'classic' });
    assert.deepEqual([builtIn.status, builtIn.body.reason], [422, 'preset-exists']);
    const bad = await world.post('/style-presets', {
      ...good,
      id: 'Über',
      style: { ...good.style, title: { ...good.style.title, font: 'a,b', size: 3 } },
    });
    assert.equal(bad.status, 422);
    assert.deepEqual(fields(bad).toSorted(), ['id', 'style.title.font', 'style.title.size']);
    const patch = (body: object) => world.call('PATCH', '/style-presets/brand', body);
    const renamed = await patch({ id: 'other' });
    assert.deepEqual([renamed.status, renamed.body.reason], [422, 'preset-invalid']);
    assert.deepEqual(fields(renamed), ['id']);
    for (const unknown of [
      await patch({ colour: null }),
      await patch({ is_own: true }),
      await patch({ style: { title: { blur: 1 } } }),
      await world.post('/style-presets', { ...good, id: 'Über', is_own: true }),
    ]) {
      assertProblem(unknown, 400, 'invalid-request');
    }
    assert.equal((await world.call('PATCH', '/style-presets/classic', { name: 'x' })).status, 404);
    assert.equal((await world.call('DELETE', '/style-presets/classic')).status, 404);
  });

  it('takes fonts, says what they are, and takes each once', async () => {
    const key = { 'Idempotency-Key': 'font-0001' };
    const made = await upload(await brandFont(), key);
    const font = (await made.json()) as { id: string; family: string };
    assert.equal(made.status, 201);
    assert.equal(font.family, 'Marken Serif');
    const again = (await (await upload(await brandFont(), key)).json()) as { id: string };
    assert.equal(again.id, font.id);
    const twice = await upload(await brandFont());
    assert.equal(twice.status, 422);
    assert.equal(((await twice.json()) as { reason: string }).reason, 'font-exists');
    const { body } = await world.get('/fonts');
    assert.deepEqual(
      body.map(({ family, weight }: Record<string, string>) => [family, weight]),
      [['Marken Serif', 'regular']],
    );
    const file = await world.request(`/assets/fonts/${font.id}`, {});
    assert.equal(file.headers.get('content-type'), 'font/ttf');
    assert.ok((await file.arrayBuffer()).byteLength > 100_000);
  });

  it('refuses what is no font', async () => {
    const statusOf = async (bytes: Uint8Array, headers = {}) =>
      (await upload(bytes, headers)).status;
    assert.equal(await statusOf(Buffer.from('<svg/>')), 422);
    assert.equal(await statusOf((await brandFont()).subarray(0, 50_000)), 422);
    assert.equal(await statusOf(await brandFont(), { 'Content-Type': 'text/plain' }), 415);
    assert.equal(await statusOf(Buffer.alloc(6 * 1024 * 1024)), 413);
    assert.equal(await statusOf(Buffer.alloc(6 * 1024 * 1024)), 413);
  });

  it('refuses a hostile font with a sentence, and all else is answered meanwhile', async () => {
    const tables = ['OS/2', 'cmap', 'glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp', 'name'];
    const size = 1_100_000;
    /** A font of these tables, each of which is all of the file. */
    const made = (names: readonly string[]): Buffer => {
      const font = Buffer.alloc(size, 0);
      font.writeUInt32BE(0x10000, 0);
      font.writeUInt16BE(names.length, 4);
      for (const [at, name] of names.entries()) {
        font.write(name, 12 + 16 * at, 'latin1');
        font.writeUInt32BE(size, 24 + 16 * at);
      }
      return font;
    };
    const named = await brandFont();
    const entry = named.indexOf('name', 12, 'latin1');
    const names = Buffer.alloc(6 + 12 * 60_000 + 65_534, 'a');
    names.writeUInt16BE(60_000, 2);
    names.writeUInt16BE(65_000, 4);
    for (let at = 6; at < 6 + 12 * 60_000; at += 12) {
      for (const [index, value] of [3, 1, 0x407, 1, 65_534, 0].entries()) {
        names.writeUInt16BE(value, at + 2 * index);
      }
    }
    named.writeUInt32BE(named.length, entry + 8);
    named.writeUInt32BE(names.length, entry + 12);
    const bomb = Buffer.concat([Buffer.alloc(48), brotliCompressSync(Buffer.alloc(64_000_000))]);
    bomb.write('wOF2', 0, 'latin1');
    bomb.writeUInt32BE(0x10000, 4);
    bomb.writeUInt32BE(bomb.length, 8);
    bomb.writeUInt16BE(1, 12);
    bomb.writeUInt32BE(1_000_000, 16);
    bomb.writeUInt32BE(bomb.length - 48, 20);
    for (const [what, font] of Object.entries({
      'tables that lie on each other': made(tables),
      '65,535 tables': made(Array.from({ length: 65_535 }, () => 'name')),
      'names that share one long text': Buffer.concat([named, names]),
      'a WOFF2 file that expands without end': bomb,
    })) {
      let isAnswered = false;
      const sending = upload(font).finally(() => (isAnswered = true));
      let answers = 0;
      for (; !isAnswered; answers += 1) assert.ok((await world.request('/livez', {})).ok);
      const answer = await sending;
      const { reason, detail } = (await answer.json()) as { reason: string; detail: string };
      assert.deepEqual([answer.status, reason], [422, 'font-invalid'], what);
      assert.match(detail, /^The .*\.$/, what);
      if (what.startsWith('names')) assert.match(detail, /family of the font is/);
      assert.ok(answers > 5, `${what}: ${answers} answers`);
    }
  });

  it('is what the pages of its clips look like', async () => {
    await put(look);
    const user = await world.user();
    const [clip] = await world.makeShorts(user, { target_clip_count: 1 });
    for (const path of [`/player/${clip!.id}`, `/embed/${clip!.id}`]) {
      const page = await world.request(path, {});
      const html = await page.text();
      assert.match(html, /--accent: rgb\(10 125 85\)/);
      assert.match(html, /--font: &quot;Marken Serif&quot;, serif/);
      assert.match(html, /@font-face\{font-family:"Marken Serif";/);
      assert.match(html, /<link rel="icon" href="https:\/\/logo\.example\/a\.svg"/);
      assert.match(page.headers.get('content-security-policy')!, /img-src [^;]*logo\.example/);
    }
    const other = await (await world.request('/embed/none', {})).text();
    assert.doesNotMatch(other, /Marken/);
  });

  it('leaves exports as they were started, whatever becomes of its preset and font', async () => {
    const user = await world.user();
    const [clip] = await world.makeShorts(user, { target_clip_count: 1 });
    const start = await world.post(
      `/projects/${clip!.id}/exports`,
      { preset_id: 'brand' },
      { as: user },
    );
    assert.equal(start.status, 201, JSON.stringify(start.body));
    const { body: fonts } = await world.get('/fonts');
    const deleted = await world.call('DELETE', `/fonts/${fonts[0].id}`);
    assert.equal(deleted.status, 204);
    assert.equal((await world.call('DELETE', `/fonts/${fonts[0].id}`)).status, 404);
    assert.deepEqual((await world.get('/fonts')).body, []);
    assert.equal((await world.call('DELETE', '/style-presets/brand')).status, 204);
    const path = `/projects/${clip!.id}/exports/${start.body.id ?? start.body.export_id}`;
    const done = await finished('the export', () =>
      world.get(path, { as: user }).then(({ body }) => body),
    );
    assert.equal(done.status, 'ready');
    assert.deepEqual(
      (done.notes ?? []).filter(({ code }: { code: string }) => code === 'font-missing'),
      [],
    );
    const later = await world.post(
      `/projects/${clip!.id}/exports`,
      { preset_id: 'brand' },
      { as: user },
    );
    assert.deepEqual([later.status, later.body.reason], [422, 'preset-unknown']);
  });
});
