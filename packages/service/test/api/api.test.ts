import { after, before, describe } from 'node:test';
import { World } from 'clip-testkit/world';
import { editSuite } from './edits.ts';
import { editorSuite } from './editor.ts';
import { projectFileSuite } from './project-files.ts';
import { renderSuite } from './renders.ts';
import { taskSuite } from './tasks.ts';
import { uploadSuite, uploadSite } from './uploads.ts';

// The suites share one service: its first start is the slowest step of all. None of them leans on
// another.
describe('the API over HTTP', () => {
  let world: World;
  before(async () => {
    const megabyte = 1024 ** 2;
    world = await World.start({
      // `edits/edited-clip.suite.ts` has what happens meanwhile.
      editQuietSeconds: 1,
      hostSite: uploadSite,
      uploadLimits: { maxBytes: 64 * megabyte, openPerUser: 8, bytesPerUser: 200 * megabyte },
    });
  });
  after(() => world?.close());
  const current = (): World => world;
  taskSuite(current);
  renderSuite(current);
  projectFileSuite(current);
  editSuite(current);
  editorSuite(current);
  uploadSuite(current);
});
