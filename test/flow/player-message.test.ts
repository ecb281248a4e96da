import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { initialMediaState } from '../../src/flow/media-state.ts';
import {
  applyMessage,
  makePlayerCommand,
  readPlayerMessage,
} from '../../src/flow/player-message.ts';

const text = (message: object) => JSON.stringify({ context: 'player.js', ...message });

describe('messages of the player.js protocol', () => {
  it('are read from their text', () => {
    assert.deepEqual(readPlayerMessage(text({ event: 'timeupdate', value: { seconds: 2 } })), {
      event: 'timeupdate',
      value: { seconds: 2 },
    });
  });

  it('are nothing else', () => {
    const others = [
      null,
      7,
      { context: 'player.js', event: 'play' },
      'clip-ready',
      '"player.js"',
      '{"context":"player.js"',
      text({ event: 7 }),
      text({ method: 'play' }),
      JSON.stringify({ context: 'other', event: 'play', by: 'player.js' }),
    ];
    for (const other of others) assert.equal(readPlayerMessage(other), null, String(other));
  });

  it('are written as a receiver reads them', () => {
    assert.deepEqual(JSON.parse(makePlayerCommand('setVolume', 40)), {
      context: 'player.js',
      version: '0.0.11',
      method: 'setVolume',
      value: 40,
    });
    assert.equal(
      JSON.parse(makePlayerCommand('addEventListener', 'play', 'clip')).listener,
      'clip',
    );
  });
});

describe('the state after a message', () => {
  const after = (event: string, value?: unknown, before = initialMediaState) =>
    applyMessage(before, { event, value });

  it('follows play, pause and end, and each change is told once', () => {
    const played = after('play');
    assert.equal(played.state.paused, false);
    assert.deepEqual(played.events, ['play']);
    assert.deepEqual(after('clip-playing', null, played.state).events, ['playing']);
    assert.deepEqual(after('play', null, played.state).events, []);
    const ended = after('ended', null, played.state);
    assert.deepEqual([ended.state.paused, ended.state.ended], [true, true]);
    assert.deepEqual(ended.events, ['pause', 'ended']);
    assert.equal(after('play', null, ended.state).state.ended, false);
  });

  it('has the units of HTMLMediaElement', () => {
    const timed = after('timeupdate', { seconds: 3.5, duration: 20 });
    assert.deepEqual([timed.state.currentTime, timed.state.duration], [3.5, 20]);
    assert.deepEqual(timed.events, ['durationchange', 'timeupdate']);
    const loud = after('clip-volumechange', { volume: 40, muted: true });
    assert.deepEqual([loud.state.volume, loud.state.muted], [0.4, true]);
    assert.deepEqual(loud.events, ['volumechange']);
    assert.equal(after('getVolume', 25).state.volume, 0.25);
    assert.deepEqual(after('clip-ratechange', 1.5).events, ['ratechange']);
    assert.deepEqual(after('ready', {}).events, ['loadedmetadata']);
    assert.equal(after('ready').state.readyState, 1);
    assert.deepEqual(after('ready', {}, after('ready').state).events, []);
  });

  it('has no duration before the player knows it', () => {
    for (const [event, value] of [
      ['getDuration', 0],
      ['clip-durationchange', 0],
      ['timeupdate', { seconds: 0, duration: 0 }],
    ] as const) {
      const { state, events } = after(event, value);
      assert.ok(Number.isNaN(state.duration), event);
      assert.ok(!events.includes('durationchange'), event);
    }
    assert.equal(after('getDuration', 8).state.duration, 8);
  });

  it('learns from answers that it plays already', () => {
    assert.deepEqual(after('getPaused', false).events, ['play']);
    assert.deepEqual(after('getPaused', true).events, []);
  });

  it('stays as it is if a value is not what it should be', () => {
    for (const [event, value] of [
      ['timeupdate', null],
      ['timeupdate', { seconds: -1, duration: 'long' }],
      ['clip-volumechange', { volume: 101, muted: 'yes' }],
      ['getPaused', 'false'],
      ['getVolume', NaN],
      ['clip-durationchange', -2],
      ['constructor', {}],
      ['__proto__', {}],
      ['toString', {}],
      ['unheard-of', {}],
    ] as const) {
      const { state, events } = after(event, value);
      assert.deepEqual(state, initialMediaState, event);
      assert.ok(events.length <= 1, event);
    }
    assert.deepEqual(after('constructor').events, []);
    assert.deepEqual(after('__proto__').events, []);
  });
});
