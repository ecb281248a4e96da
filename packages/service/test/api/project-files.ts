import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { clipDocumentNames } from 'clip-engine';
import { assertProblem, type Library, type World } from 'clip-testkit/world';

export function projectFileSuite(world: () => World): void {
  describe('the files of a clip for other programs', () => {
    let library: Library;
    before(async () => {
      library = await world().library();
    });
    const read = (name: string, headers: Record<string, string> = {}) =>
      world().get(`/projects/${library.clip.id}/files/${name}`, { as: library.as, headers });

    it('are all there, for download under the name of the clip', async () => {
      for (const name of clipDocumentNames) {
        const { status, headers, body } = await read(name);
        assert.equal(status, 200, name);
        assert.ok(headers.get('content-disposition')!.includes(`.${name}"`), name);
        assert.ok((typeof body === 'string' ? body : JSON.stringify(body)).length > 20, name);
      }
    });

    it('have a storyboard of the preview, with the place of each picture', async () => {
      const picture = await read('storyboard.jpg');
      assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/jpeg']);
      const { status, body } = await read('storyboard.vtt');
      assert.equal(status, 200);
      assert.match(body, /^WEBVTT\n\n00:00:00\.000 --> 00:00:01\.000\nstoryboard\.jpg#xywh=0,0,/);
    });

    it('name the source by its file, not by its address', async () => {
      const { body } = await read('edit.otio');
      const clip = body.tracks.children[0].children[0];
      assert.equal(clip.media_references.DEFAULT_MEDIA.target_url, 'talk.mp4');
      assert.doesNotMatch(JSON.stringify(body), /https?:/);
    });

    it('describe the whole file of the source', async () => {
      const { body } = await read('edit.fcpxml');
      assert.match(body, /<format id="r2" frameDuration="1\/12s" width="192" height="108"\/>/);
      assert.match(body, /<asset [^>]* start="0\/12s" duration="192\/12s"/);
    });

    it('are not sent again while nothing has changed', async () => {
      const { headers } = await read('words.json');
      const again = await read('words.json', { 'If-None-Match': headers.get('etag')! });
      assert.equal(again.status, 304);
    });

    it('are 404 for other names, other users and unknown clips', async () => {
      assertProblem(await read('edit.exe'), 404, 'not-found');
      const path = `/projects/${library.clip.id}/files/words.json`;
      const other = { as: await world().user() };
      assertProblem(await world().get(path, other), 404, 'clip-not-found');
      assertProblem(await world().get('/projects/x/files/words.json'), 404, 'clip-not-found');
    });
  });
}
