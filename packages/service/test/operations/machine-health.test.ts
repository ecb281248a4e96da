import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { diskFull, type MachineFault } from 'clip-engine';
import type { ProjectRow } from '../../src/db/schema.ts';
import { exportRows } from '../../src/exports/job.ts';
import { MachineHealth } from '../../src/operations/machine-health.ts';
import { rowJob } from '../../src/queue/run-job.ts';
import { ProgramError } from '../../../engine/src/program/process-error.ts';
import { JobWorld } from '../support/job-world.ts';
import { spanEdit } from '../support/span-edit.ts';

const { signal } = new AbortController();

describe('a machine that cannot do its work', () => {
  let world: JobWorld;
  let project: ProjectRow;
  before(async () => {
    world = await JobWorld.open();
    const video = join(world.directory, 'video.mp4');
    await writeFile(video, 'video');
    project = (await world.addTask(video, [spanEdit(0, 1)])).projects[0]!;
  });
  after(() => world?.close());

  /** The health of a machine whose rests are ended by the test. */
  const health = () => {
    const outdated = { now: false };
    const rests: (() => Promise<boolean>)[] = [];
    const machine = new MachineHealth({
      queue: { rest: async (_ms, isOver) => void rests.push(isOver) },
      log: world.service.log,
      workDirectory: world.service.workDirectory,
      isOutdated: async () => outdated.now,
      isDrained: async () => false,
    });
    return { machine, rests, outdated };
  };
  const missing: MachineFault = { code: 'program-missing', message: 'Missing.', transient: false };

  it('gives each job back without counting it, and takes no more', async () => {
    const { machine, rests } = health();
    const ids = await Promise.all(Array.from({ length: 5 }, () => world.addExport(project)));
    const job = rowJob({ ...world.service, machine }, exportRows, () =>
      Promise.reject(new ProgramError('ffmpeg is not installed.')),
    );
    for (const id of ids) {
      await assert.rejects(job(id, signal), /put back/);
      const { status, attempts, uncounted_attempts } = await world.exportRow(id);
      assert.deepEqual([status, attempts - uncounted_attempts], ['processing', 0]);
    }
    assert.equal(rests.length, 1, 'one rest for all');
    assert.equal(machine.fault?.code, 'program-missing');
  });

  it('takes jobs again when programs and disk are there', async () => {
    const { machine, rests } = health();
    assert.equal(await machine.isToBlame(missing), true);
    assert.equal(await rests[0]!(), true);
    assert.equal(machine.fault, null);
  });

  it('leaves work that fails to a newer version, if that has changed the database', async () => {
    const { machine, rests, outdated } = health();
    outdated.now = true;
    const id = await world.addExport(project);
    const job = rowJob({ ...world.service, machine }, exportRows, () =>
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

  it('is not to blame for work that needs more room than there is, nor for a killed program', async () => {
    const { machine, rests } = health();
    assert.equal(await machine.isToBlame(diskFull), false, 'there is room by now');
    assert.equal(await machine.isToBlame({ ...missing, transient: true }), false);
    assert.equal(await machine.isToBlame(null), false);
    assert.deepEqual([machine.fault, rests.length], [null, 0]);
  });
});
