import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Listeners, methods, makePlayerMessage, readCommand } from '../src/page/player-protocol.ts';

const message = (more: object): string =>
  JSON.stringify({ context: 'player.js', version: '0.0.11', ...more });

describe('the player.js protocol', () => {
  it('reads every method with a value that fits', () => {
    const values: Record<string, unknown> = {
      setVolume: 50,
      setCurrentTime: 1.5,
      setLoop: true,
      addEventListener: 'play',
      removeEventListener: 'clip-playing',
      'clip-setPlaybackRate': 1.5,
      'clip-setCaptions': false,
      'clip-setLanguage': 'pt-BR',
      'clip-setAppearance': { accent: [1, 2, 3], radius: 4 },
    };
    for (const method of methods) {
      const value = values[method];
      assert.deepEqual(readCommand(message({ method, value, listener: 'a' })), {
        method,
        value,
        listener: 'a',
      });
    }
    assert.equal(readCommand(message({ method: 'play' }))?.listener, null);
  });

  it('reads nothing else, and throws at nothing', () => {
    const bad = [
      undefined,
      null,
      1,
      {},
      { context: 'player.js', method: 'play' },
      '',
      'play',
      '{',
      'null',
      '[]',
      '"player.js"',
      JSON.stringify({ method: 'play' }),
      JSON.stringify({ context: 'other', method: 'play' }),
      message({ method: 'play', padding: 'x'.repeat(10_000) }),
      ...['toString', '__proto__', 'constructor', 'hasOwnProperty', '', 'Play', 1, null, []].map(
        (method) => message({ method }),
      ),
      ...['NaN', '1', -1, 101, 1e400, null, true, [50], { valueOf: 1 }, undefined].map((value) =>
        message({ method: 'setVolume', value }),
      ),
      ...['5', -0.1, null, [], 1e300].map((value) => message({ method: 'setCurrentTime', value })),
      ...[0, 0.1, 5, '2', null].map((value) => message({ method: 'clip-setPlaybackRate', value })),
      ...[1, 'true', null].map((value) => message({ method: 'setLoop', value })),
      ...[null, 'red', { accent: 'url(x)' }, { font: ['a;b'] }].map((value) =>
        message({ method: 'clip-setAppearance', value }),
      ),
      ...['x'.repeat(36), '../de', '', 5].map((value) =>
        message({ method: 'clip-setLanguage', value }),
      ),
      ...['__proto__', 'toString', 'click', null, 5].map((value) =>
        message({ method: 'addEventListener', value, listener: 'a' }),
      ),
      ...['x'.repeat(101), {}, [], true].map((listener) =>
        message({ method: 'getMuted', listener }),
      ),
      '{"context":"player.js","method":"setVolume","value":NaN}',
      '{"context":"player.js","method":"setVolume","value":1e999}',
      '{"__proto__":{"context":"player.js","method":"play"}}',
      `${'['.repeat(9000)}${']'.repeat(900)}`,
    ];
    for (const data of bad) assert.equal(readCommand(data), null, String(data).slice(0, 100));
  });

  it('writes events and answers as player.js does', () => {
    assert.deepEqual(
      JSON.parse(makePlayerMessage('timeupdate', { seconds: 1, duration: 2 }, 'a')),
      {
        context: 'player.js',
        version: '0.0.11',
        event: 'timeupdate',
        value: { seconds: 1, duration: 2 },
        listener: 'a',
      },
    );
    assert.deepEqual(JSON.parse(makePlayerMessage('ended')), {
      context: 'player.js',
      version: '0.0.11',
      event: 'ended',
    });
  });

  it('keeps a hundred listeners, each once', () => {
    const listeners = new Listeners();
    for (let at = 0; at < 10_000; at += 1) {
      listeners.add('play', 'a');
      listeners.add('pause', String(at));
    }
    assert.deepEqual(listeners.listFor('play'), ['a']);
    assert.equal(listeners.listFor('pause').length, 99);
    listeners.remove('pause', '5');
    listeners.remove('pause', 'unknown');
    listeners.remove('ended', 'unknown');
    assert.equal(listeners.listFor('pause').length, 98);
    listeners.add('ended', null);
    assert.deepEqual(listeners.listFor('ended'), [null]);
    assert.deepEqual(listeners.listFor('error'), []);
  });
});
