import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { linePrefixer } from '../../tools/line-prefixer.ts';
import { countTests } from '../../tools/test-count.ts';
import { runWatched, type WatchedCommand } from '../../tools/watched-command.ts';

const run = (code: string, more: Partial<WatchedCommand> = {}) =>
  runWatched([process.execPath, '-e', code], {
    signal: new AbortController().signal,
    say: () => {},
    ...more,
  });

describe('a watched command', () => {
  it('gives its exit code and all that it says', async () => {
    const said: string[] = [];
    const code = 'console.log("out"); console.error("err"); process.exitCode = 3;';
    const ended = await run(code, { say: (text) => said.push(text) });
    assert.equal(ended.code, 3);
    assert.match(ended.output, /out/);
    assert.match(ended.output, /err/);
    assert.equal(said.join(''), ended.output);
  });

  it('that stops is ended, says so and counts as a failure', async () => {
    const limits = { silentMs: 200, busySeconds: 1e9, busySilentMs: 1e9 };
    const { code, output } = await run('setInterval(() => {}, 1e6)', { limits });
    assert.notEqual(code, 0);
    assert.match(output, /Stopped: it printed nothing for 0\.2 s/);
    assert.deepEqual(countTests('node', code, output), { passed: 0, failed: 1 });
  });

  it('is ended with all that it has started, and fails', async () => {
    const stop = new AbortController();
    const child = `require('node:child_process').spawn(process.execPath, ['-e', 'console.log("on"); setInterval(() => {}, 1e6)'], { stdio: 'inherit' })`;
    // Its output ends with the last process that holds it open.
    const { code } = await run(`${child}; process.on('SIGINT', () => process.exit(0));`, {
      signal: stop.signal,
      say: () => stop.abort(),
    });
    assert.notEqual(code, 0);
  });

  it('that cannot be started is a failure', async () => {
    const { code, output } = await runWatched(['no-such-program'], {
      signal: new AbortController().signal,
      say: () => {},
    });
    assert.equal(code, 1);
    assert.match(output, /no-such-program/);
  });
});

it('lines are told apart by names, each written when it is whole', () => {
  let written = '';
  const say = linePrefixer('kit', (text) => (written += text));
  say('one\ntw');
  assert.equal(written, 'kit        │ one\n');
  say('o\n');
  assert.equal(written, 'kit        │ one\nkit        │ two\n');
});
