import { expect } from '@open-wc/testing';
import { addScript, load, singleFile, uncaught } from '../support/loaded-kit.ts';
import { until } from '../support/browser-world.ts';

/** An application's bundle defines the elements; the site's script tag has the plain markup. */
describe('plain markup on a page with two copies of the kit', () => {
  it('uses the elements of the first, with the settings of the head, and makes one of each', async () => {
    const seen = uncaught();
    const meta = document.createElement('meta');
    meta.name = 'clip-config';
    meta.content = `player-url=http://localhost:${location.port}/frames`;
    document.head.append(meta);
    document.body.innerHTML = `
      <div data-clip-preview="a" data-clip-loading="eager"></div>
      <a data-clip-preview href="http://localhost:${location.port}/frames/player/b">B</a>`;
    const { ClipPreview } = await load('/dist/index.js');
    expect(document.querySelectorAll('clip-preview').length).to.equal(0);
    await addScript(singleFile('one'));
    await addScript(singleFile('two'));
    await until(() => document.querySelectorAll('clip-preview').length === 2);
    const previews = [...document.querySelectorAll('clip-preview')];
    expect(previews.every((preview) => preview instanceof ClipPreview)).to.equal(true);
    await until(() => previews[0]!.status === 'ready', previews[0]!.error?.message);
    expect(previews.map(({ project }) => project)).to.deep.equal(['a', 'b']);
    meta.content = 'player=/x';
    await until(() => previews[0]!.error);
    expect(previews[0]!.error!.message).to.include('there is no "player"');
    meta.remove();
    seen.end();
    expect(seen.thrown).to.deep.equal([]);
  });
});
