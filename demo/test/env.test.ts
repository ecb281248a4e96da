import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { getModelDirectory } from 'clip-engine';
import { readDemoEnv } from '../server/env.ts';

const engine = { speechModel: { directory: getModelDirectory({}) } };

test('without settings: the site on 4300, the service on 4400, everything kept in .data', () => {
  assert.deepEqual(readDemoEnv({}), {
    port: 4300,
    servicePort: 4400,
    dataDir: resolve('.data'),
    engine,
  });
});

test('PORT, SERVICE_PORT and DATA_DIR are taken; empty ones count as left out', () => {
  assert.deepEqual(readDemoEnv({ PORT: '0', SERVICE_PORT: '65535', DATA_DIR: '/srv/demo' }), {
    port: 0,
    servicePort: 65_535,
    dataDir: '/srv/demo',
    engine,
  });
  assert.equal(readDemoEnv({ PORT: '' }).port, 4300);
});

for (const text of ['-1', '65536', '80a', '4.5']) {
  test(`PORT=${text} is refused by name`, () => {
    assert.throws(() => readDemoEnv({ PORT: text }), /^TypeError: PORT must be a port number/);
  });
}

test('what the engine may be told goes on to the service, and nothing else does', () => {
  const { engine } = readDemoEnv({
    SPEECH_URL: 'https://speech.example/v1',
    SPEECH_API_KEY: 'secret',
    SPEECH_MODEL: 'large',
    TRANSLATE_URL: 'http://localhost:5000',
    RANKING_URL: 'https://chat.example/v1',
    RANKING_MODEL: 'small',
    FACES: 'off',
    PRESETS_DIR: '/srv/presets',
    DATABASE_URL: 'not for the demo',
    CLIP_API_KEY: 'short',
  });
  assert.deepEqual(engine, {
    speech: { url: 'https://speech.example/v1', apiKey: 'secret', model: 'large' },
    translation: { url: 'http://localhost:5000' },
    ranking: { url: 'https://chat.example/v1', model: 'small' },
    faces: 'off',
    presetsDir: '/srv/presets',
  });
});

test('the speech model of this machine is the service’s, too', () => {
  const { engine } = readDemoEnv({
    SPEECH_MODEL: 'small',
    SPEECH_MODEL_URL: 'https://mirror.example/models',
    XDG_CACHE_HOME: '/cache',
  });
  assert.deepEqual(engine.speechModel, {
    model: 'small',
    url: 'https://mirror.example/models',
    directory: getModelDirectory({ XDG_CACHE_HOME: '/cache' }),
  });
});

test('no speech is recognised if the operator says so', () => {
  assert.deepEqual(readDemoEnv({ SPEECH_MODEL: 'off' }).engine, {});
});

test('a setting of the engine that does not fit is refused by name, without its secret', () => {
  const wrong = { FACES: 'maybe', SPEECH_API_KEY: 'hush-hush' };
  assert.throws(
    () => readDemoEnv(wrong),
    (error: Error) => {
      assert.match(error.message, /FACES must be one of auto, off/);
      assert.match(error.message, /SPEECH_API_KEY is set without SPEECH_URL/);
      return !error.message.includes('hush');
    },
  );
});
