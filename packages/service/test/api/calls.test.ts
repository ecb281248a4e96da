import { after, before, describe } from 'node:test';
import { QuietWorld } from '../support/quiet-world.ts';
import { authenticationSuite } from './authentication.ts';
import { badInputSuite } from './bad-input.ts';
import { downloadSuite } from './download.ts';
import { exportSuite } from './exports.ts';
import { fileSuite } from './files.ts';
import { hostSuite } from './host.ts';
import { idempotencySuite } from './idempotency.ts';
import { planSuite } from './plans.ts';
import { privateClipSuite } from './private-clips.ts';
import { presetSuite } from './presets.ts';
import { serverFieldSuite } from './server-fields.ts';
import { shareSuite } from './shares.ts';
import { slowSourceSuite } from './slow-sources.ts';
import { userSuite } from './users.ts';
import { viewSuite } from './views.ts';
import { webhookSuite } from './webhooks.ts';

// The suites share one database. None of them leans on another.
describe('the calls of the API', () => {
  let world: QuietWorld;
  before(async () => {
    world = await QuietWorld.start();
  });
  after(() => world?.close());
  const current = (): QuietWorld => world;
  authenticationSuite(current);
  userSuite(current);
  badInputSuite(current);
  exportSuite(current);
  hostSuite(current);
  idempotencySuite(current);
  downloadSuite(current);
  fileSuite(current);
  planSuite(current);
  presetSuite(current);
  privateClipSuite(current);
  serverFieldSuite(current);
  shareSuite(current);
  slowSourceSuite(current);
  viewSuite(current);
  webhookSuite(current);
});
