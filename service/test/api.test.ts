import { after, before, describe } from 'node:test';
import { authenticationSuite } from './api/authentication.ts';
import { badInputSuite } from './api/bad-input.ts';
import { downloadSuite } from './api/download.ts';
import { estimateSuite } from './api/estimates.ts';
import { exportSuite } from './api/exports.ts';
import { fileSuite } from './api/files.ts';
import { planSuite } from './api/plans.ts';
import { presetSuite } from './api/presets.ts';
import { slowSourceSuite } from './api/slow-sources.ts';
import { taskSuite } from './api/tasks.ts';
import { userSuite } from './api/users.ts';
import { World } from './support/world.ts';

// The suites share one service: its first start is the slowest step of all. None of them leans on another.
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
  estimateSuite(current);
  downloadSuite(current);
  fileSuite(current);
  planSuite(current);
  presetSuite(current);
});

describe('the API over HTTP, of a service that hardly waits for a source', () => {
  let world: World;
  before(async () => {
    world = await World.start({ ingestWaitMs: 200 });
  });
  after(() => world.close());
  slowSourceSuite(() => world);
});
