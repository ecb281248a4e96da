import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
  explainEnd,
  isOfTheInput,
  findMachineFault,
  ProcessError,
  ProgramError,
} from '../../src/program/process-error.ts';
import { analyse } from '../../src/scan/analyse.ts';
import { findProgram, run } from '../../src/program/ffmpeg-process.ts';
import {
  readHardLimits,
  limitOptions,
  makeLimits,
  setProgramMemory,
  getUsualMemoryBytes,
} from '../../src/program/process-limits.ts';
import { makeMediaInfo, probe } from '../../src/source/probe.ts';
import { SourceError } from '../../src/source/source-error.ts';
import { makeVideo, temporaryDirectory } from 'clip-testkit/media-footage';

const kept = await temporaryDirectory();
after(() => kept.remove());

const skip = process.platform !== 'linux' || findProgram('prlimit') === null;
/** Options without a limit that counts. */
const unhurried = () => ({ signal: new AbortController().signal, deadlineSeconds: 600 });
const mebibyte = 1024 ** 2;

/** Runs a program that exceeds a limit, and returns the error. */
async function failing(...[program, args, options]: Parameters<typeof run>): Promise<ProcessError> {
  try {
    await run(program, args, options);
  } catch (error) {
    assert.ok(error instanceof ProcessError, String(error));
    return error;
  }
  assert.fail('it ended well');
}

const lavfi = (source: string) => ['-v', 'error', '-nostdin', '-f', 'lavfi', '-i', source];

const large = join(kept.path, 'large.raw');
const overruns = [
  {
    limit: 'memory',
    args: [...lavfi('color=s=7680x4320'), '-c:v', 'libx264', '-f', 'null', '-'],
    limits: { memoryBytes: 700 * mebibyte },
    said: /needed more memory than it may use/,
  },
  {
    limit: 'cpu',
    args: [...lavfi('testsrc2=s=640x360').slice(2), '-f', 'null', '-'],
    limits: { cpuSeconds: 1 },
    said: /more processor time than it may/,
  },
  {
    limit: 'file-size',
    args: [...lavfi('color=s=640x360:d=20'), '-f', 'rawvideo', '-y', large],
    limits: { fileBytes: 2 * mebibyte },
    said: /a larger file than it may/,
  },
];
for (const { limit, args, limits, said } of overruns) {
  test(
    `a program beyond its limit (${limit}) is ended, and the error says so`,
    { skip },
    async () => {
      const error = await failing('ffmpeg', args, { ...unhurried(), limits });
      assert.equal(error.end, limit, error.message);
      assert.match(error.message, said);
      if (limit === 'memory') assert.ok(isOfTheInput(error));
      if (limit === 'file-size') assert.equal((await stat(large)).size, 2 * mebibyte);
    },
  );
}

test(
  'a video that takes too much memory to read is refused with that reason',
  { skip },
  async () => {
    const path = await makeVideo(join(kept.path, 'video.mp4'), { seconds: 1 });
    const options = unhurried();
    const media = makeMediaInfo(await probe(path, options.signal), 1)!;
    setProgramMemory(150 * mebibyte);
    try {
      const source = { path, transcriptPath: null, media, sha256: '', bytes: 0 };
      await assert.rejects(analyse(source, options), (error) => {
        assert.ok(error instanceof SourceError, String(error));
        assert.equal(error.code, 'source-unsupported');
        assert.match(error.message, /needs more memory than allowed.*Convert it/);
        return true;
      });
    } finally {
      setProgramMemory(null);
    }
  },
);

test('every program runs under all of the limits, and leaves no core', { skip }, async () => {
  const { stdout } = await run('cat', ['/proc/self/limits'], {
    ...unhurried(),
    deadlineSeconds: 7,
  });
  const expected = makeLimits(7);
  const own = readHardLimits(stdout);
  assert.equal(own.memoryBytes, expected.memoryBytes);
  assert.equal(own.cpuSeconds, expected.cpuSeconds + 5);
  assert.equal(own.fileBytes, expected.fileBytes);
  assert.equal(own.openFiles, expected.openFiles);
  assert.match(stdout, /^Max core file size +0 +0 /m);
});

test('a program that says too much is ended', async () => {
  const error = await failing('cat', ['/dev/zero'], unhurried());
  assert.equal(error.end, 'output');
});

test('a program that is killed from outside is told apart from one that fails', async () => {
  const error = await failing('sh', ['-c', 'kill -KILL $$'], unhurried());
  assert.equal(error.end, 'killed');
  assert.equal(isOfTheInput(error), false);
  const failed = await failing('sh', ['-c', 'exit 3'], unhurried());
  assert.deepEqual([failed.end, failed.exitCode], ['failed', 3]);
});

test('a program that is not there, or cannot be started, is said clearly', async () => {
  await assert.rejects(run('no-such-program', [], unhurried()), (error) => {
    assert.ok(error instanceof ProgramError);
    assert.match(error.message, /no-such-program is not installed.*Install it/);
    assert.equal(findMachineFault(error)?.code, 'program-missing');
    return true;
  });
  const cwd = join(kept.path, 'gone');
  await assert.rejects(run('cat', [], { ...unhurried(), cwd }), (error) => {
    assert.ok(error instanceof ProgramError);
    assert.match(error.message, /cat could not be started \(ENOENT\)/);
    assert.doesNotMatch(error.message, /gone/);
    return true;
  });
});

test('a full disk is told by what a program says', async () => {
  // A write to this device fails like on a full disk.
  const full = [...lavfi('color=s=64x64:d=1'), '-f', 'rawvideo', '-y', '/dev/full'];
  const error = await failing('ffmpeg', full, unhurried());
  assert.equal(error.end, 'disk-full', error.message);
  assert.equal(isOfTheInput(error), false);
});

test('limits are never asked for beyond those of the service itself', () => {
  const limits = { memoryBytes: 4000, cpuSeconds: 10, fileBytes: 2000, openFiles: 256 };
  assert.deepEqual(limitOptions(limits, {}), [
    '--as=4000',
    '--cpu=10:15',
    '--fsize=2000',
    '--nofile=256',
    '--core=0',
  ]);
  assert.deepEqual(limitOptions(limits, { memoryBytes: 3000, cpuSeconds: 12, openFiles: 64 }), [
    '--as=3000',
    '--cpu=10:12',
    '--fsize=2000',
    '--nofile=64',
    '--core=0',
  ]);
  const text = 'Max cpu time              unlimited            unlimited            seconds   \n';
  assert.deepEqual(readHardLimits(`${text}Max open files   1024   524288   files\n`), {
    openFiles: 524_288,
  });
});

test('limits grow with the deadline and with the processors', () => {
  assert.ok(makeLimits(100).cpuSeconds >= 100);
  assert.ok(makeLimits(1000).cpuSeconds > makeLimits(100).cpuSeconds);
  // Measured for an encode of 4K: 1.5 GB with 2 processors, 9.2 GB with 64 threads in decoder and
  // encoder.
  assert.ok(getUsualMemoryBytes(2) > 2 * 1.5e9);
  assert.ok(getUsualMemoryBytes(64) > 2 * 9.2e9);
});

test('the end of a program is known by code, signal and words', () => {
  assert.equal(explainEnd(null, 'SIGXCPU', ''), 'cpu');
  assert.equal(explainEnd(null, 'SIGXFSZ', ''), 'file-size');
  assert.equal(explainEnd(null, 'SIGSEGV', ''), 'crashed');
  assert.equal(explainEnd(255, null, 'Exiting normally, received signal 15.'), 'killed');
  assert.equal(explainEnd(1, null, 'x264 [error]: malloc of size 5353683 failed'), 'memory');
  assert.equal(explainEnd(1, null, 'c.ass: Disk quota exceeded'), 'disk-full');
  assert.equal(explainEnd(255, null, 'Error while decoding'), 'failed', '255 may be any error');
  assert.equal(explainEnd(1, null, '  title : x\u2028y: No space left on device'), 'failed');
  assert.equal(
    explainEnd(0, null, 'Error closing file a.mp4: No space left on device'),
    'disk-full',
  );
  assert.equal(explainEnd(1, null, 'Invalid data found'), 'failed');
  assert.equal(explainEnd(0, null, 'all is well'), null);
});

test('a file cannot pretend by its title that the disk is full', () => {
  const said =
    '  Metadata:\n    title           : No space left on device\n                    : Out of memory';
  assert.equal(explainEnd(0, null, said), null);
  assert.equal(explainEnd(1, null, said), 'failed');
});
