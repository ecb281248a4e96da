import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { makeVideo } from 'clip-testkit/media-footage';
import { makePreview, previewRows } from '../../src/worker/previews.ts';
import { makeRowJob } from '../../src/worker/run-job.ts';
import { jobWorld } from '../support/job-world.ts';
import { spanEdit } from 'clip-testkit/span-edit';
import { watchStatements } from '../support/statements.ts';

describe('the job of a preview', () => {
  const world = jobWorld();

  it('takes sixteen statements with its analysis, and one each time that progress is written', async () => {
    const { service } = world();
    const video = await makeVideo(join(world().directory, 'video.mp4'));
    const small = { dimensions: { width: 108, height: 192 } };
    const edit = spanEdit(0, 1, { ...small, needsAnalysis: true });
    const { projects } = await world().addTask([edit], video);
    const { texts, stop } = watchStatements();
    await makeRowJob(service, previewRows, makePreview)(projects[0]!.id, service.closing);
    stop();
    assert.ok(world().log.some(({ event }) => event === 'task-ready'));
    // How far it is, is written with the share of its task, at most once a second.
    const progress = (text: string): boolean => text.includes('update tasks\n      set share');
    assert.ok(texts.some(progress));
    const own = texts.filter((text) => !/pgboss/.test(text) && !progress(text));
    assert.equal(own.length, 16, own.join('\n'));
  });
});
