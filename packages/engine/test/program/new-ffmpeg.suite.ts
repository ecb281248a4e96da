/** A file of its own, and its own process: programs that were found once are remembered. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { makeWholeEdit } from '../support/whole-edit.ts';
import { getFfmpegAbilities } from '../../src/program/abilities.ts';
import { findMachineFault } from '../../src/program/process-error.ts';
import { renderPoster } from '../../src/render/poster.ts';
import { render } from '../../src/render/render.ts';
import { analyse } from '../../src/scan/analyse.ts';
import { checkMedia, openProbed } from '../../src/source/check-file.ts';
import { makeVideo, temporaryDirectory } from 'clip-testkit/media-footage';
import { editingWith } from 'clip-testkit/plain-edit';

const directory = await temporaryDirectory();
const at = (name: string) => join(directory.path, name);
const { signal } = new AbortController();
after(() => directory.remove());

const real = execFileSync('which', ['ffmpeg'], { encoding: 'utf8' }).trim();

/**
 * An ffmpeg as of version 9: it has no `-vsync` and no `-filter_complex_script`, but `-/` before an
 * option that is read from a file. It also refuses what the file `refused` names.
 */
const newFfmpeg = `#!/bin/bash
refuse() { echo "Unrecognized option '$1'." >&2; echo "Error splitting the argument list: Option not found" >&2; exit 8; }
old=$('${real}' -hide_banner -h long 2>/dev/null | grep -c -- '^-filter_complex_script')
args=()
for arg in "$@"; do
  case "$arg" in
    -vsync|-filter_complex_script) refuse "\${arg#-}";;
    -/filter_complex) [ "$old" = 0 ] || arg=-filter_complex_script;;
  esac
  grep -qxF -e "$arg" "$(dirname "$0")/refused" 2>/dev/null && refuse "\${arg#-}"
  args+=("$arg")
done
if [ "$2 $3" = "-h long" ]; then '${real}' "\${args[@]}" | grep -v -e '^-vsync' -e '^-filter_complex_script'; exit 0; fi
exec '${real}' "\${args[@]}"
`;

async function analysed() {
  const media = await checkMedia(at('video.mp4'), await openProbed(at('video.mp4'), signal), {
    maxSeconds: 60,
    signal,
  });
  return analyse({ path: at('video.mp4'), transcriptPath: null, media }, { signal });
}
const editing = editingWith('reframe');

describe('an ffmpeg as of version 9', () => {
  const path = process.env['PATH'];
  before(async () => {
    await mkdir(at('bin'));
    await writeFile(at('bin/ffmpeg'), newFfmpeg);
    await chmod(at('bin/ffmpeg'), 0o755);
    await makeVideo(at('video.mp4'), { seconds: 2 });
    process.env['PATH'] = `${at('bin')}${delimiter}${path}`;
  });

  it('scans and renders without the old options', async () => {
    assert.deepEqual(await getFfmpegAbilities(), { graphFile: '-/filter_complex' });
    const dimensions = { width: 180, height: 320 };
    const edit = makeWholeEdit(await analysed(), { editing, dimensions, title: '' });
    const where = { source: at('video.mp4'), signal };
    const made = await render(edit, { ...where, output: at('clip.mp4'), quality: 'export' });
    assert.equal(made.duration, 2);
    await renderPoster(edit, { ...where, output: at('poster.jpg') });
  });

  it('lacks something: that is said, and the video is not blamed', async () => {
    await writeFile(at('bin/refused'), '-skip_frame\n');
    await assert.rejects(analysed(), (error: Error) => {
      assert.equal(error.name, 'ProgramError');
      assert.match(error.message, /ffmpeg.*Unrecognized option 'skip_frame'/);
      assert.equal(findMachineFault(error)?.code, 'program-missing');
      return true;
    });
  });
});
