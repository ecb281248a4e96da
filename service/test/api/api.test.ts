import { after, before, describe } from 'node:test';
import { authenticationSuite } from './authentication.ts';
import { badInputSuite } from './bad-input.ts';
import { downloadSuite } from './download.ts';
import { estimateSuite } from './estimates.ts';
import { exportSuite } from './exports.ts';
import { fileSuite } from './files.ts';
import { idempotencySuite } from './idempotency.ts';
import { planSuite } from './plans.ts';
import { projectFileSuite } from './project-files.ts';
import { presetSuite } from './presets.ts';
import { hastySuite } from './hasty.ts';
import { taskSuite } from './tasks.ts';
import { userSuite } from './users.ts';
import { World } from '../support/world.ts';

// The suites share one service: its first start is the slowest step of all. None of them leans on
// another.
describe('the API over HTTP', () => {
  let world: World;
  before(async () => {
    world = await World.start();
  });
  after(() => world.close());
  const current = (): World => world;
  authenticationSuite(current);
  userSuite(current);
  taskSuite(current);
  badInputSuite(current);
  exportSuite(current);
  idempotencySuite(current);
  estimateSuite(current);
  downloadSuite(current);
  fileSuite(current);
  planSuite(current);
  presetSuite(current);
  projectFileSuite(current);
});

describe('the API over HTTP, of a service that hardly waits', () => {
  let world: World;
  before(async () => {
    world = await World.start({ ingestWaitMs: 0, downloadWaitMs: 0 });
  });
  after(() => world.close());
  hastySuite(() => world);
});
