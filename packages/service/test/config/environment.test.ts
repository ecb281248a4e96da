import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, test } from 'node:test';
import { getModelDirectory } from 'clip-engine';
import { temporaryDirectory } from 'clip-testkit/media-footage';
import { EnvironmentError, readEnvironment } from '../../src/config/environment.ts';

describe('the environment', () => {
  it('has a default for everything', () => {
    assert.deepEqual(readEnvironment({}), {
      role: 'all',
      port: 4400,
      dataDir: '.data/service',
      allowPrivateSources: false,
      speechModel: { directory: getModelDirectory({}) },
    });
  });

  it('takes each secret from a file too, and says which file does not fit', async () => {
    const directory = await temporaryDirectory();
    const file = async (name: string, text: string): Promise<string> => {
      await writeFile(join(directory.path, name), text);
      return join(directory.path, name);
    };
    const key = await file('key', 'a-key-of-sixteen-letters\n');
    const url = await file('url', 'postgres://clips:secret@db/clips');
    const empty = await file('empty', '\n');
    const config = readEnvironment({ CLIP_API_KEY_FILE: key, DATABASE_URL_FILE: url });
    assert.equal(config.apiKey, 'a-key-of-sixteen-letters');
    assert.equal(config.databaseUrl, 'postgres://clips:secret@db/clips');
    for (const [environment, said] of [
      [{ CLIP_API_KEY_FILE: key, CLIP_API_KEY: 'another-key-of-it' }, /are both set/],
      [{ CLIP_API_KEY_FILE: empty }, /CLIP_API_KEY_FILE names an empty file/],
      [{ DATABASE_URL_FILE: join(directory.path, 'none') }, /that can be read \(ENOENT\)/],
      [{ DATABASE_URL_FILE: key }, /DATABASE_URL must be a postgres/],
    ] as const) {
      assert.throws(() => readEnvironment(environment), said);
    }
    await directory.remove();
  });

  it('takes SPEECH_MODEL for the server’s, and for this machine’s if there is no server', () => {
    const server = readEnvironment({ SPEECH_URL: 'https://a.example/v1', SPEECH_MODEL: 'any' });
    assert.equal(server.speech?.model, 'any');
    assert.equal(server.speechModel, undefined);
    const own = readEnvironment({ SPEECH_MODEL: 'base', SPEECH_MODEL_URL: 'https://a.example/m' });
    assert.deepEqual(own.speechModel, {
      model: 'base',
      url: 'https://a.example/m',
      directory: getModelDirectory({}),
    });
    assert.equal(readEnvironment({ SPEECH_MODEL: 'off' }).speechModel, undefined);
    assert.throws(
      () => readEnvironment({ SPEECH_MODEL: 'huge' }),
      /SPEECH_MODEL must be tiny, .*, the path of a folder, or off/,
    );
  });

  it('is read', () => {
    assert.deepEqual(
      readEnvironment({
        PORT: '8080',
        DATA_DIR: '/data',
        PUBLIC_URL: 'https://clips.example.com/',
        INDEX_PLAYER_PAGES: '1',
        CLIP_API_KEY: 'a-key-that-is-long-enough',
        DATABASE_URL: 'postgres://db/clips',
        CLIP_ALLOW_PRIVATE_SOURCES: '1',
        CLIP_CONCURRENCY: '4',
        CLIP_QUALITY: 'high',
        SPEECH_URL: 'http://whisper:8000/v1',
        SPEECH_MODEL: 'large-v3',
        TRANSLATE_URL: 'https://translate.example.com',
        TRANSLATE_API_KEY: 'secret-1',
        RANKING_URL: 'http://127.0.0.1:11434/v1',
        RANKING_API_KEY: 'secret-2',
        RANKING_MODEL: 'small',
      }),
      {
        role: 'all',
        port: 8080,
        dataDir: '/data',
        publicUrl: 'https://clips.example.com',
        indexPlayerPages: true,
        apiKey: 'a-key-that-is-long-enough',
        databaseUrl: 'postgres://db/clips',
        allowPrivateSources: true,
        concurrency: 4,
        exportQuality: 'high',
        speech: { url: 'http://whisper:8000/v1', model: 'large-v3' },
        translation: { url: 'https://translate.example.com', apiKey: 'secret-1' },
        ranking: { url: 'http://127.0.0.1:11434/v1', apiKey: 'secret-2', model: 'small' },
      },
    );
  });

  it('takes the address that it listens on', () => {
    assert.equal(readEnvironment({ HOST: '127.0.0.1' }).host, '127.0.0.1');
    assert.equal(readEnvironment({ HOST: '::1' }).host, '::1');
    assert.throws(() => readEnvironment({ HOST: 'http://a' }), /HOST must be an address of this/);
  });

  it('says how to write a password of the database, and does not show it', () => {
    for (const password of ['pass/word', '12/34', 'pass#word', '12#34', 'a?b', '12?34', 'a%b']) {
      assert.throws(
        () => readEnvironment({ DATABASE_URL: `postgres://clips:${password}@db/clips` }),
        (error: Error) =>
          /^DATABASE_URL must be a postgres:\/\/ .*percent-encoded: %2F/.test(error.message) &&
          !error.message.includes(password),
        password,
      );
    }
    const encoded = 'postgres://clips:a%2Fb%23c%3Fd%25e%40f@db/clips?sslmode=require';
    assert.equal(readEnvironment({ DATABASE_URL: encoded }).databaseUrl, encoded);
  });

  it('takes who may frame and steer the pages, their colour and logo', () => {
    assert.deepEqual(
      readEnvironment({
        CONTROL_ORIGINS: 'https://A.example, http://localhost:3000',
        FRAME_ANCESTORS: "'self'  https://*.site.example:8443",
        PLAYER_ACCENT: 'oklch(62% 0.19 260)',
        PLAYER_LOGO_URL: 'https://cdn.example/logo.svg',
      }).pages,
      {
        controlOrigins: ['https://a.example', 'http://localhost:3000'],
        frameAncestors: "'self' https://*.site.example:8443",
        accent: 'oklch(62% 0.19 260)',
        logoUrl: 'https://cdn.example/logo.svg',
      },
    );
  });

  it('trusts the proxies that are named, and none by default', () => {
    assert.equal(readEnvironment({}).trustedProxies, undefined);
    const { trustedProxies } = readEnvironment({
      TRUSTED_PROXIES: '10.1.2.3, 172.18.0.0/16 2001:db8::/32',
    });
    for (const [address, family, isTrusted] of [
      ['10.1.2.3', 'ipv4', true],
      ['10.1.2.4', 'ipv4', false],
      ['172.18.255.1', 'ipv4', true],
      ['2001:db8:1::1', 'ipv6', true],
    ] as const) {
      assert.equal(trustedProxies!.check(address, family), isTrusted, address);
    }
    const wrong = [
      'proxy',
      '10.1.2',
      '10.1.2.3/',
      '10.1.2.3/33',
      '0.0.0.0/0',
      '::/0',
      '*',
      '10.0.0.0/8/8',
    ];
    for (const given of wrong) {
      assert.throws(
        () => readEnvironment({ TRUSTED_PROXIES: given }),
        /^EnvironmentError: TRUSTED_PROXIES must be/,
        given,
      );
    }
  });

  it('takes nothing for the pages that could leave its place', () => {
    for (const [name, values] of Object.entries({
      CONTROL_ORIGINS: [
        '*',
        'https://a.example/path',
        'a.example',
        'javascript:1',
        'https://*.example',
      ],
      FRAME_ANCESTORS: ["'none' https://a.example", '*; script-src *', "'unsafe-inline'", 'data:'],
      PLAYER_ACCENT: ['red;}', 'url(https://a.example)', '#12', 'var(--x)', 'rgb(0 0 0', '"'],
      PLAYER_LOGO_URL: [
        'http://a.example/l.png',
        'https://a.example/l.png?key=1',
        "https://a.example/';x",
        'https://u:p@a.example/l.png',
        '/logo.png',
      ],
    })) {
      for (const value of values) {
        assert.throws(() => readEnvironment({ [name]: value }), new RegExp(name), value);
      }
    }
  });

  const bucket = {
    STORAGE: 's3',
    S3_ENDPOINT: 'https://s3.example/',
    S3_BUCKET: 'clips',
    S3_ACCESS_KEY_ID: 'key-of-the-bucket',
    S3_SECRET_ACCESS_KEY: 'secret-of-the-bucket',
  };

  it('takes a bucket for the files', () => {
    const { s3, cacheBytes } = readEnvironment({
      ...bucket,
      S3_PUBLIC_URL: 'https://files.example/clips/',
      S3_PUBLIC_ACCESS: 'signed',
      CACHE_BYTES: '50000000000',
    });
    assert.deepEqual(s3, {
      endpoint: 'https://s3.example',
      bucket: 'clips',
      region: 'us-east-1',
      accessKeyId: 'key-of-the-bucket',
      secretAccessKey: 'secret-of-the-bucket',
      publicUrl: 'https://files.example/clips',
      publicAccess: 'signed',
    });
    assert.equal(cacheBytes, 50e9);
  });

  it('takes the secrets and origins of the host, and shows no secret that is too short', () => {
    const [first, second] = ['a'.repeat(32), 'b'.repeat(64)];
    const { hostSite } = readEnvironment({
      HOST_SECRETS: `${first} ${second}`,
      HOST_ORIGINS: 'https://www.example.com https://Example.com',
    });
    assert.deepEqual(hostSite, {
      secrets: [first, second],
      origins: ['https://www.example.com', 'https://example.com'],
    });
    assert.deepEqual(readEnvironment({ HOST_SECRETS: first }).hostSite!.origins, []);
    for (const [environment, problem] of [
      [{ HOST_SECRETS: 'too-short' }, /^HOST_SECRETS must be one or two secrets/],
      [{ HOST_SECRETS: `${first} ${first} ${first}` }, /^HOST_SECRETS must be one or two secrets/],
      [{ HOST_SECRETS: first, HOST_ORIGINS: 'example.com' }, /^HOST_ORIGINS must be one or more/],
      [{ HOST_SECRETS: first, HOST_ORIGINS: 'https://*.example' }, /without wildcards/],
      [{ HOST_ORIGINS: 'https://a.example' }, /^HOST_ORIGINS is set without HOST_SECRETS\.$/],
    ] as const) {
      assert.throws(
        () => readEnvironment(environment),
        (error: Error) => problem.test(error.message) && !/too-short|aaaa/.test(error.message),
      );
    }
  });

  it('says what is missing for a bucket, and that one is not used, without its secret', () => {
    const { S3_ENDPOINT: _, ...incomplete } = bucket;
    for (const [environment, problem] of [
      [incomplete, /^S3_ENDPOINT must be set when STORAGE is s3\.$/],
      [
        { ...bucket, S3_PUBLIC_ACCESS: 'open' },
        /^S3_PUBLIC_ACCESS is set without S3_PUBLIC_URL\.$/,
      ],
      [{ ...bucket, STORAGE: '' }, /^S3_SECRET_ACCESS_KEY is set without STORAGE=s3\.$/m],
      [{ ...bucket, S3_SECRET_ACCESS_KEY: 'secret of the bucket' }, /S3_SECRET_ACCESS_KEY must/],
      [{ ...bucket, S3_PUBLIC_URL: "https://a.example/';x" }, /S3_PUBLIC_URL must/],
      [{ CACHE_BYTES: '1000' }, /^CACHE_BYTES is set without STORAGE=s3\.$/],
    ] as const) {
      assert.throws(
        () => readEnvironment(environment),
        (error: Error) => {
          assert.match(error.message, problem);
          assert.doesNotMatch(error.message, /of.the.bucket/);
          return true;
        },
      );
    }
  });

  it('takes a role that others can share the database with', () => {
    assert.equal(readEnvironment({ ROLE: 'api', DATABASE_URL: 'postgres://db/clips' }).role, 'api');
    assert.throws(
      () => readEnvironment({ ROLE: 'worker' }),
      /^EnvironmentError: ROLE=worker needs DATABASE_URL: the built-in database belongs to one/,
    );
    assert.throws(() => readEnvironment({ ROLE: 'boss' }), /ROLE must be one of all, api, worker/);
  });

  it('takes an empty variable for an unset one', () => {
    assert.equal(readEnvironment({ PORT: '', CLIP_API_KEY: ' ' }).port, 4400);
  });

  it('names everything that is wrong at once, and shows no secret', () => {
    const environment = {
      PORT: '99999',
      PUBLIC_URL: 'clips.example.com',
      INDEX_PLAYER_PAGES: 'maybe',
      CLIP_API_KEY: 'too short',
      DATABASE_URL: 'mysql://user:pa55word@db',
      CLIP_ALLOW_PRIVATE_SOURCES: 'yes',
      CLIP_QUALITY: 'best',
      SPEECH_URL: 'http://speech.example.com/v1',
      SPEECH_API_KEY: 'pa55word with spaces',
      FACES: 'maybe',
      TRANSLATE_API_KEY: 'pa55word-without-address',
      RANKING_URL: 'https://user:pa55word@ranking.example.com',
    };
    assert.throws(
      () => readEnvironment(environment),
      (error) => {
        assert.ok(error instanceof EnvironmentError);
        for (const name of Object.keys(environment)) assert.match(error.message, new RegExp(name));
        assert.doesNotMatch(error.message, /too short|pa55word/);
        return true;
      },
    );
  });

  it('refuses an unknown variable of its own, and tells the nearest known one', () => {
    const misspelt = { CLIP_CONCURENCY: '2', CLIP_QUALTIY: 'high', PATH: '/bin' };
    assert.throws(() => readEnvironment(misspelt), {
      name: 'EnvironmentError',
      message:
        'CLIP_CONCURENCY is not known. Did you mean CLIP_CONCURRENCY?\n' +
        'CLIP_QUALTIY is not known. Did you mean CLIP_QUALITY?',
    });
    assert.equal(readEnvironment({ CLIP_CONCURENCY: '' }).concurrency, undefined);
  });

  it('knows every variable of the documentation, and those of hosts in the same shell', async () => {
    const page = await readFile(
      new URL('../../../../docs/service-settings.md', import.meta.url),
      'utf8',
    );
    const names = [...new Set(page.match(/\bCLIP_[A-Z_]+/g)), 'CLIP_API_URL', 'CLIP_SERVICE_URL'];
    assert.ok(names.length > 5);
    const environment = Object.fromEntries(names.map((name) => [name, '?']));
    assert.throws(
      () => readEnvironment(environment),
      ({ message }: Error) => /CLIP_QUALITY must/.test(message) && !/not known/.test(message),
    );
  });

  it('needs a model for the ranking server', () => {
    assert.throws(() => readEnvironment({ RANKING_URL: 'https://ranking.example.com/v1' }), {
      message: 'RANKING_MODEL must name the model that the server at RANKING_URL is to use.',
    });
  });
});

test('PRESETS_DIR names the folder', () => {
  assert.equal(readEnvironment({ PRESETS_DIR: '/x' }).presetsDir, '/x');
  assert.equal('presetsDir' in readEnvironment({}), false);
});
