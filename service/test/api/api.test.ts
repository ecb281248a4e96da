import { after, before, describe } from 'node:test';
import { World } from '../support/world.ts';
import { projectFileSuite } from './project-files.ts';
import { renderSuite } from './renders.ts';
import { slowSourceSuite } from './slow-sources.ts';
import { taskSuite } from './tasks.ts';

// The suites share one service: its first start is the slowest step of all. None of them leans on
// another.
describe('the API over HTTP', () => {
  let world: World;
  before(async () => {
    world = await World.start();
  });
  after(() => world?.close());
  const current = (): World => world;
  taskSuite(current);
  renderSuite(current);
  projectFileSuite(current);
});

describe('the API over HTTP, of a service that waits for no source', () => {
  let world: World;
  before(async () => {
    world = await World.start({ ingestWaitMs: 0 });
  });
  after(() => world?.close());
  slowSourceSuite(() => world);
});
