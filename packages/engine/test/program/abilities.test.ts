import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAbilities } from '../../src/program/abilities.ts';

test('the help of an ffmpeg says what it has', () => {
  const help = {
    options: '-fps_mode           set framerate mode\n-filter_complex_script filename  read',
    filters: ' .. ass               V->V       Render\n .S zscale            V->V       Resize',
    encoders: ' V....D libx264 H.264\n A....D aac   AAC\n VFS... mjpeg   JPEG\n A....D flac   FLAC',
  };
  assert.deepEqual(readAbilities(help), { graphFile: '-filter_complex_script' });
  const poor = { ...help, options: '-vsync  old', filters: ' .S zscale   V->V  Resize' };
  assert.throws(() => readAbilities(poor), {
    name: 'ProgramError',
    message: /does not have the option -fps_mode, the filter ass\. Install ffmpeg 5\.1 or newer/,
  });
});
