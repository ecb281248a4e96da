/**
 * How good and how dear the encodes of an export are: `node research/bench/quality.ts`. Prints a
 * table of presets and rate factors, and marks those that the engine uses. Takes some minutes.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { exportQualities, videoEncoder } from '../../packages/engine/src/render/encoding.ts';
import { ffmpegSeconds } from './measured-run.ts';
import { markdownTable } from './table.ts';

const size = { width: 1080, height: 1920 };
const frameRate = 30;
const seconds = 4;

/** Noise at one scale: `cells` by two thirds of it, with colour only where it is coarse. */
function noise(cells: number, seed: number): string {
  const chroma = (more: number) => (cells < 50 ? `128+40*(random(${seed + more})-0.5)` : '128');
  return `nullsrc=s=${cells}x${(cells * 2) / 3}:r=${frameRate},geq=lum='random(${seed})*255':cb='${chroma(1)}':cr='${chroma(2)}',format=yuv444p`;
}

/** Details at all scales, the small ones faint, as in photographs. */
async function drawGround(directory: string): Promise<void> {
  const wide = 'scale=2304:1536:flags=bicubic';
  const graph = [
    ...[0, 1, 2, 3].map((layer) => `[${layer}]${wide}[n${layer}]`),
    '[n0][n1]blend=c0_mode=normal:c0_opacity=0.75[a]',
    '[a][n2]blend=c0_mode=normal:c0_opacity=0.9[b]',
    '[b][n3]blend=c0_mode=normal:c0_opacity=0.96',
  ];
  const inputs = [18, 72, 288, 1152].flatMap((cells, index) => [
    ...['-f', 'lavfi', '-i', noise(cells, index * 10 + 1)],
  ]);
  await ffmpegSeconds(
    [...inputs, '-filter_complex', graph.join(';'), '-frames:v', '1', '-y', 'ground.png'],
    directory,
  );
}

/**
 * What an export encodes, lossless: landscape pictures of a hand-held camera with a little grain,
 * compressed as sources are, then cropped and enlarged.
 */
async function makeReference(directory: string): Promise<void> {
  await drawGround(directory);
  const still = ['-loop', '1', '-framerate', String(frameRate), '-i', 'ground.png'];
  const shake = (x: number, y: number) => `'${x}+60*sin(t*0.9)+2*sin(t*11)':'${y}+40*sin(t*0.7)'`;
  const head = `a='255*lt(hypot((X-170)/170,(Y-240)/240),1)'`;
  const graph = [
    `[0]crop=1920:1080:${shake(150, 200)}[ground]`,
    `[1]crop=340:480:300:300,hue=h=60:s=1.4,format=yuva444p,geq=lum='lum(X,Y)':cb='cb(X,Y)':cr='cr(X,Y)':${head}[head]`,
    `[ground][head]overlay=x='790+60*sin(t*2.1)':y='200+20*sin(t*3.7)':shortest=1,noise=c0s=5:c0f=t,format=yuv420p`,
  ];
  await ffmpegSeconds(
    [
      ...[...still, ...still, '-filter_complex', graph.join(';'), '-t', String(seconds)],
      ...['-c:v', 'libx264', '-preset', 'fast', '-crf', '20', '-y', 'source.mp4'],
    ],
    directory,
  );
  await ffmpegSeconds(
    [
      ...['-i', 'source.mp4', '-vf', 'crop=608:1080,scale=1080:1920:flags=bicubic'],
      ...['-c:v', 'libx264', '-qp', '0', '-preset', 'ultrafast', '-y', 'reference.mp4'],
    ],
    directory,
  );
}

async function ssim(directory: string): Promise<number> {
  const args = ['-hide_banner', '-i', 'encoded.mp4', '-i', 'reference.mp4', '-lavfi', 'ssim'];
  const { stderr } = await promisify(execFile)('ffmpeg', [...args, '-f', 'null', '-'], {
    cwd: directory,
    maxBuffer: 1 << 26,
  });
  return Number(/All:([\d.]+)/.exec(stderr)?.[1]);
}

const curve = [
  ...[23, 21, 19, 17].map((crf) => ['veryfast', crf] as const),
  ...[22, 20].map((crf) => ['faster', crf] as const),
  ...[22, 20].map((crf) => ['fast', crf] as const),
  ...[22, 20, 18].map((crf) => ['medium', crf] as const),
];

const directory = await mkdtemp(join(tmpdir(), 'clip-quality-'));
try {
  await makeReference(directory);
  const used = exportQualities.map((name) => ({
    name,
    args: videoEncoder(name, size, frameRate).join(' '),
  }));
  const [draft] = exportQualities;
  const rows: string[][] = [];
  for (const [preset, crf] of curve) {
    const args = videoEncoder(draft!, size, frameRate);
    const at = (name: string) => args.indexOf(name) + 1;
    args[at('-preset')] = preset;
    args[at('-crf')] = String(crf);
    args[at('-maxrate')] = '8000k';
    args[at('-bufsize')] = '16000k';
    const cpu = await ffmpegSeconds(
      ['-i', 'reference.mp4', ...args, '-g', String(frameRate * 4), '-y', 'encoded.mp4'],
      directory,
    );
    const { size: bytes } = await stat(join(directory, 'encoded.mp4'));
    const mark = used.filter((one) => one.args.includes(`-preset ${preset} -crf ${crf} `));
    rows.push([
      `${preset}, CRF ${crf}`,
      mark.map(({ name }) => name).join(', '),
      (cpu / seconds).toFixed(2),
      ((bytes * 8) / seconds / 1e6).toFixed(1),
      (await ssim(directory)).toFixed(4),
    ]);
  }
  console.log(markdownTable(['x264', 'quality', 'CPU s per second', 'Mb/s', 'SSIM'], rows));
} finally {
  await rm(directory, { recursive: true, force: true });
}
