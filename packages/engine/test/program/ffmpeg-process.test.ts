import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { before, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { waitFor } from 'clip-testkit/wait-for';
import { findProgram, ProcessError, run } from '../../src/program/ffmpeg-process.ts';
import { ProgramError } from '../../src/program/process-error.ts';
import { startProgramsByHelper } from '../../src/program/start-program.ts';
import { runUrgently } from '../../src/program/urgency.ts';

const endless = '-v error -nostdin -f lavfi -i testsrc2=s=64x64 -f null -'.split(' ');
const signal = () => new AbortController().signal;
const patient = () => ({ signal: signal(), deadlineSeconds: 600 });

/** Ids of the processes whose command line contains a text. */
async function processesWith(text: string): Promise<number[]> {
  const found: number[] = [];
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const line = await readFile(join('/proc', entry, 'cmdline'), 'utf8').catch(() => '');
    if (line.includes(text) && line.includes('ffmpeg\0')) found.push(Number(entry));
  }
  return found;
}

const canDie = process.platform === 'linux' && findProgram('setpriv') !== null;

/** Whether the system shares processors between sessions. */
const hasSessions = existsSync('/proc/self/autogroup');

/** How programs run. `start`: how the code of another process begins, to start them likewise. */
function suite(start: string): void {
  it('a program’s output is gathered, and its failure is said with the end of its log', async () => {
    const { stdout } = await run('ffprobe', ['-version'], patient());
    assert.match(stdout, /^ffprobe version/);
    await assert.rejects(
      run('ffprobe', ['-v', 'error', '/nowhere/at/all.mp4'], patient()),
      (error) => {
        assert.ok(error instanceof ProcessError);
        assert.match(error.message, /all\.mp4: No such file/);
        assert.doesNotMatch(error.message, /nowhere/);
        return true;
      },
    );
  });

  it(
    'a program of lower priority gives way to those of other sessions',
    { skip: !hasSessions },
    async () => {
      const waits = 'until grep "nice 9$" /proc/$$/autogroup; do sleep 0.05; done';
      const { stdout } = await run('sh', ['-c', waits], {
        ...{ signal: signal(), deadlineSeconds: 60 },
        niceness: 19,
      });
      assert.match(stdout, /nice 9\n$/);
    },
  );

  it('a program that a person waits for gives way to none', async () => {
    const options = { ...patient(), niceness: 19 };
    const { stdout } = await runUrgently(() => run('nice', [], options));
    assert.equal(Number(stdout), getPriority());
  });

  it('a program that takes too long is stopped', async () => {
    await assert.rejects(
      run('ffmpeg', endless, { signal: signal(), deadlineSeconds: 0.3 }),
      /stopped after/,
    );
  });

  it('an aborted signal starts nothing', async () => {
    const reason = new Error('no');
    const started = run('ffmpeg', endless, {
      signal: AbortSignal.abort(reason),
      deadlineSeconds: 10,
    });
    await assert.rejects(started, (error) => error === reason);
  });

  it('ffmpeg dies with the service, also when that is killed', { skip: !canDie }, async () => {
    const mark = `mark-${process.pid}-${Date.now()}`;
    const args = JSON.stringify(endless.toSpliced(-3, 0, '-metadata', `title=${mark}`));
    const module = new URL('../../src/program/ffmpeg-process.ts', import.meta.url).href;
    const code = `${start} const { run } = await import(${JSON.stringify(module)});
      await run('ffmpeg', ${args}, { signal: new AbortController().signal, deadlineSeconds: 600 });`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'ignore' });
    try {
      // Before it is ffmpeg, it is the program that makes it end with its parent.
      await waitFor('ffmpeg', async () => {
        const names = (await processesWith(mark)).map((id) =>
          readFile(`/proc/${id}/comm`, 'utf8').catch(() => ''),
        );
        return (await Promise.all(names)).includes('ffmpeg\n');
      });
      child.kill('SIGKILL');
      await once(child, 'exit');
      await waitFor('the end of ffmpeg', async () => (await processesWith(mark)).length === 0);
    } finally {
      // If the test fails, it must not leave the process behind.
      for (const id of await processesWith(mark)) process.kill(id, 'SIGKILL');
    }
  });

  it('a program reads its input, and its output waits until it is taken', async () => {
    const chunk = Buffer.alloc(100_000, 'a');
    let [open, received, waiting] = [0, 0, 0];
    await run('cat', [], {
      ...patient(),
      stdin: Readable.from(Array.from({ length: 50 }, () => chunk)),
      onStdout: async ({ length }) => {
        waiting = Math.max(waiting, (open += 1));
        received += length;
        await setImmediate();
        open -= 1;
      },
    });
    assert.equal(received, 5_000_000);
    assert.equal(waiting, 1, 'chunks at a time');
  });

  it('what a program has written before it ends is still taken in order', async () => {
    let [open, waiting, received] = [0, 0, 0];
    await run('sh', ['-c', 'head -c 150000 /dev/zero'], {
      ...patient(),
      onStdout: async ({ length }) => {
        waiting = Math.max(waiting, (open += 1));
        for (let turn = 0; turn < 200; turn++) await setImmediate();
        received += length;
        open -= 1;
      },
    });
    assert.deepEqual({ received, waiting }, { received: 150_000, waiting: 1 });
  });

  it('a program that reads nothing ends in peace', async () => {
    const stdin = Readable.from(Array.from({ length: 50 }, () => Buffer.alloc(100_000)));
    await run('true', [], { signal: signal(), deadlineSeconds: 600, stdin });
    assert.ok(stdin.destroyed);
  });

  it('a program’s lines, exit code and signal are known', async () => {
    const lines: string[] = [];
    const sh = (script: string) =>
      run('sh', ['-c', script], {
        ...patient(),
        cwd: '/usr',
        onStderrLine: (line) => lines.push(line),
      });
    assert.equal((await sh('echo one >&2; printf two >&2; pwd')).stdout, '/usr\n');
    assert.deepEqual(lines, ['one', 'two']);
    await assert.rejects(sh('exit 7'), { exitCode: 7, end: 'failed' });
    await assert.rejects(sh('kill -KILL $$'), { exitCode: null, end: 'killed' });
    await assert.rejects(sh('kill -ABRT $$'), { end: 'crashed' });
  });

  it('a program’s children end with it', async () => {
    const stop = new AbortController();
    const began = run('sh', ['-c', 'sleep 600 & echo begun; wait'], {
      signal: stop.signal,
      deadlineSeconds: 600,
      onStdout: () => stop.abort(new Error('enough')),
    });
    // Until both have closed their output.
    await assert.rejects(began, /enough/);
  });

  it('an output that cannot be taken ends the program', async () => {
    const refused = run('ffmpeg', [...endless.slice(0, -2), 'rawvideo', '-'], {
      ...patient(),
      onStdout: () => Promise.reject(new Error('no room')),
    });
    await assert.rejects(refused, /no room/);
  });

  it('a program that cannot be started is a fault of the machine', async () => {
    const started = run('true', [], { signal: signal(), deadlineSeconds: 1, cwd: '/nowhere' });
    await assert.rejects(started, (error) => {
      assert.ok(error instanceof ProgramError);
      assert.match(error.message, /true could not be started \(ENOENT\)/);
      return true;
    });
  });
}

describe('programs that the process itself starts', () => suite(''));

describe('programs that a helper starts', { skip: process.platform !== 'linux' }, () => {
  const module = new URL('../../src/program/start-program.ts', import.meta.url).href;
  const start = `const { startProgramsByHelper } = await import(${JSON.stringify(module)});
    startProgramsByHelper();`;
  before(() => startProgramsByHelper());

  /** The helpers of a process. */
  const helpersOf = async (pid: number | undefined): Promise<number[]> => {
    const file = `/proc/${pid}/task/${pid}/children`;
    const children = (await readFile(file, 'utf8')).trim().split(' ').filter(Boolean).map(Number);
    const lines = children.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => ''));
    const said = await Promise.all(lines);
    return children.filter((_, at) => said[at]!.includes('program-helper.mjs'));
  };

  suite(start);

  it('are started by one process, which is no reason not to end', async () => {
    const module = new URL('../../src/program/ffmpeg-process.ts', import.meta.url).href;
    const code = `${start} const { run } = await import(${JSON.stringify(module)});
      const options = { signal: new AbortController().signal, deadlineSeconds: 600 };
      await Promise.all(['a', 'b'].map((text) => run('echo', [text], options)));
      console.log('done');`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [[said], [exit]] = await Promise.all([once(child.stdout, 'data'), once(child, 'exit')]);
    assert.deepEqual([String(said), exit], ['done\n', 0]);
    assert.equal((await helpersOf(process.pid)).length, 1);
  });

  it('are killed with it, and the next one is started by another', async () => {
    const [helper = 0] = await helpersOf(process.pid);
    const running = run('sh', ['-c', 'echo begun; exec sleep 600'], {
      ...patient(),
      onStdout: () => void process.kill(helper, 'SIGKILL'),
    });
    await assert.rejects(running, { end: 'killed' });
    const { stdout } = await run('echo', ['again'], patient());
    assert.equal(stdout, 'again\n');
    assert.notDeepEqual(await helpersOf(process.pid), [helper]);
  });

  it('are not started any more if the process ends, and nothing is said of it', async () => {
    const helper = fileURLToPath(new URL('../../src/program/program-helper.mjs', import.meta.url));
    // It ends when the helper connects the streams of a program.
    const code = (streams: number): string => `
      import { spawn } from 'node:child_process';
      import { createServer } from 'node:net';
      const name = 'clip-test-' + process.pid;
      let open = 0;
      createServer(() => ++open < ${streams} || process.kill(process.pid, 'SIGKILL'))
        .listen('\\0' + name, () => {
          const stdio = ['ignore', 'ignore', 'inherit', 'ipc'];
          const child = spawn(process.execPath, [${JSON.stringify(helper)}, name], { stdio });
          const options = { env: {} };
          for (const id of 'abcdefgh') child.send({ id, command: 'true', args: [], options });
        });`;
    const said = await Promise.all(
      [1, 2, 3, 1, 2, 3].map(async (streams) => {
        const args = ['--input-type=module', '-e', code(streams)];
        const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
        return text(child.stderr);
      }),
    );
    assert.deepEqual(new Set(said), new Set(['']));
  });

  it('are stopped also if that is asked for before they are started', async () => {
    const stop = new AbortController();
    const running = run('sleep', ['600'], { signal: stop.signal, deadlineSeconds: 600 });
    stop.abort(new Error('no'));
    await assert.rejects(running, /no/);
  });
});
