import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { diskFull, networkDown } from 'clip-engine';
import type { ProjectRow } from '../../src/db/schema.ts';
import { exportRows } from '../../src/worker/exports.ts';
import { MachineHealth } from '../../src/operations/machine-health.ts';
import { makeRowJob } from '../../src/worker/run-job.ts';
import { ProgramError } from '../../../engine/src/program/process-error.ts';
import { JobWorld } from '../support/job-world.ts';
import { spanEdit } from 'clip-testkit/span-edit';

const { signal } = new AbortController();

describe('a machine that cannot do its work', () => {
  let world: JobWorld;
  let project: ProjectRow;
  before(async () => {
    world = await JobWorld.open();
    project = (await world.addTask([spanEdit(0, 1)])).projects[0]!;
  });
  const mounted: string[] = [];
  after(async () => {
    for (const path of mounted) execFileSync('umount', ['-l', path]);
    await world?.close();
  });

  /** The health of a machine whose rests are ended by the test. */
  const health = (workDirectory = world.service.workDirectory) => {
    const outdated = { now: false };
    const clock = { skewMs: 0 };
    const rests: (() => Promise<boolean>)[] = [];
    const machine = new MachineHealth({
      queue: { backOff: async (_ms, isOver) => void rests.push(isOver) },
      log: world.service.log,
      workDirectory,
      isOutdated: async () => outdated.now,
      isDrained: async () => false,
      clockSkewMs: async () => clock.skewMs,
    });
    return { machine, rests, outdated, clock };
  };
  const fail = (machine: MachineHealth, error: Error) =>
    makeRowJob({ ...world.service, machine }, exportRows, () => Promise.reject(error));

  /** A file system of its own; null where none may be mounted (it takes root, on Linux). */
  const mount = (options: string): { path: string; remount(options: string): void } | null => {
    const path = mkdtempSync(join(world.directory, 'disk-'));
    const run = (...args: string[]) => execFileSync('mount', args, { stdio: 'ignore' });
    try {
      run('-t', 'tmpfs', '-o', options, 'tmpfs', path);
    } catch {
      return null;
    }
    mounted.push(path);
    return { path, remount: (changed) => void run('-o', `remount,${changed}`, path) };
  };

  for (const [what, options, repaired, code] of [
    ['is full', 'size=300m', 'size=1g', 'disk-full'],
    ['takes no more files', 'size=1g,nr_inodes=20', 'nr_inodes=1000', 'disk-full'],
    ['is mounted read-only', 'size=1g,ro', 'rw', 'disk-failing'],
  ] as const) {
    it(`gives each job back without counting it while its disk ${what}, and takes no more`, async (t) => {
      const disk = mount(options);
      if (!disk) return t.skip('no file system can be mounted here');
      const { machine, rests } = health(disk.path);
      const ids = await Promise.all(Array.from({ length: 5 }, () => world.addExport(project)));
      const error = Object.assign(new Error('x'), {
        code: code === 'disk-full' ? 'ENOSPC' : 'EROFS',
      });
      for (const id of ids) {
        await assert.rejects(fail(machine, error)(id, signal), /put back/);
        const { status, attempts, uncounted_attempts } = await world.exportRow(id);
        assert.deepEqual([status, attempts - uncounted_attempts], ['processing', 0]);
      }
      assert.equal(rests.length, 1, 'one rest for all');
      assert.deepEqual([machine.fault?.code, machine.refusal?.code], [code, code]);
      assert.equal(await rests[0]!(), false, 'it is not repaired');
      disk.remount(repaired);
      assert.equal(await rests[0]!(), true);
      assert.equal(machine.fault, null);
    });
  }

  it('fails a job that three machines could not do: then it is the job', async () => {
    const id = await world.addExport(project);
    for (let at = 1; at <= 2; at++) {
      const { machine } = health();
      await assert.rejects(fail(machine, new ProgramError('Missing.'))(id, signal), /put back/);
      assert.equal(machine.fault, null, 'it works by now');
    }
    await fail(health().machine, new ProgramError('Missing.'))(id, signal);
    const { status, failure_code: code } = await world.exportRow(id);
    assert.deepEqual([status, code], ['error', 'program-missing']);
  });

  it('rests with a clock that is far from that of the database, until it is set', async () => {
    const { machine, rests, clock } = health();
    clock.skewMs = -61_000;
    await machine.check();
    assert.equal(machine.refusal?.code, 'clock-wrong');
    clock.skewMs = 900;
    assert.equal(await rests[0]!(), true);
  });

  it('goes on while it has a route, whatever address a job could not reach', async () => {
    const { machine, rests } = health();
    assert.equal(await machine.noteFailure(networkDown), false);
    assert.deepEqual([machine.fault, rests.length], [null, 0]);
  });

  it('leaves work that fails to a newer version, if that has changed the database', async () => {
    const { machine, rests, outdated } = health();
    outdated.now = true;
    const id = await world.addExport(project);
    const job = makeRowJob({ ...world.service, machine }, exportRows, () =>
      Promise.reject(new Error('column "work" does not exist')),
    );
    await assert.rejects(job(id, signal), /put back/);
    const { status, attempts, uncounted_attempts } = await world.exportRow(id);
    assert.deepEqual([status, attempts - uncounted_attempts], ['processing', 0]);
    assert.deepEqual([machine.fault?.code, rests.length], ['database-newer', 1]);
    await assert.rejects(job(id, signal), /put back/, 'also what has begun before');
    outdated.now = false;
    assert.equal(await rests[0]!(), true);
    assert.equal(machine.fault, null);
  });

  it('goes on after work that needs more room than there is, and after a killed program', async () => {
    const { machine, rests } = health();
    assert.equal(await machine.noteFailure(diskFull), false);
    assert.equal(await machine.noteFailure(null), false);
    assert.deepEqual([machine.fault, rests.length], [null, 0]);
  });
});
