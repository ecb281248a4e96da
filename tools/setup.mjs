// Prepares a fresh clone so that a command can run: dependencies, ffmpeg, a browser, what is built.
// Runs on Node 20 with nothing installed. If it may not install something, it prints one line with
// the command that does.
//
// node tools/setup.mjs <command>, one of the keys of `needs`
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installDependencies } from './install-dependencies.mjs';
import { installAllPackages, installPackages, Missing } from './install-packages.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
process.chdir(root);

const needsOf = {
  // What all test commands need, at once. The first of them builds.
  all: ['dependencies', 'packages', 'ffmpeg', 'fonts', 'browser'],
  // The demo builds its pages while its servers start.
  start: ['ports', 'programs', 'ffmpeg', 'fonts', 'player'],
  service: ['programs', 'ffmpeg', 'fonts', 'player'],
  postgres: ['dependencies', 'ffmpeg', 'fonts', 'player'],
  cluster: ['dependencies', 'ffmpeg', 'fonts', 'browser', 'player'],
  stores: ['dependencies'],
  model: ['dependencies'],
  // The tests build the kit and the demo as their first step.
  test: ['dependencies', 'ffmpeg', 'fonts', 'browser'],
  bench: ['dependencies', 'ffmpeg', 'fonts', 'browser', 'player', 'kit', 'demo'],
  host: ['dependencies', 'kit'],
  'sign-in': ['dependencies'],
  wordpress: ['dependencies', 'browser', 'kit'],
  docs: ['dependencies', 'browser'],
  sites: ['dependencies', 'browser', 'build'],
  firefox: ['dependencies', 'ffmpeg', 'firefox', 'player', 'kit'],
  webkit: ['dependencies', 'ffmpeg', 'webkit', 'player', 'kit'],
};
const needs = needsOf[process.argv[2] ?? ''];

function stop(message) {
  console.error(message);
  process.exit(1);
}

if (!needs) stop(`usage: node tools/setup.mjs ${Object.keys(needsOf).join('|')}`);

/** A busy port is reported now, and not after the minutes that the rest takes. */
async function ports() {
  const { checkPorts } = await import('../demo/server/ports.mjs');
  await checkPorts(process.env).catch((error) => stop(error.message));
}

const windows = process.platform === 'win32';

const run = (command, args) => spawnSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 26 });

const has = (command) => run(command, ['-version']).error === undefined;

/** What the demo and the service need: a third of the packages. */
const programs = () => dependencies({ omitDev: true });

async function dependencies(options = {}) {
  if (await installDependencies(root, options)) return;
  stop('The dependencies could not be installed. Is the package registry within reach?');
}

/** Runs an installation, or stops with a line that says what to do. */
function orStop(install) {
  try {
    install();
  } catch (error) {
    if (error instanceof Missing) stop(error.message);
    throw error;
  }
}
const install = (name) => orStop(() => installPackages(name));

/** The parts of ffmpeg that the engine and the tests need. Not every build has them. */
function missingInFfmpeg() {
  if (!has('ffmpeg') || !has('ffprobe')) return ['ffmpeg'];
  const filters = run('ffmpeg', ['-hide_banner', '-filters']).stdout;
  const encoders = run('ffmpeg', ['-hide_banner', '-encoders']).stdout;
  const wanted = ['start', 'service'].includes(process.argv[2])
    ? ['ass', 'zscale']
    : ['ass', 'zscale', 'flite'];
  return [
    ...wanted.filter((filter) => !new RegExp(` ${filter} `).test(filters)),
    ...(/ libx264 /.test(encoders) ? [] : ['libx264']),
  ];
}

function ffmpeg() {
  if (!missingInFfmpeg().length) return;
  install('ffmpeg');
  const missing = missingInFfmpeg();
  if (missing.length) {
    stop(`This ffmpeg was built without ${missing.join(', ')}. Install one that has it.`);
  }
}

/**
 * Captions in most scripts, and emoji in colour: installed if possible; everything works without
 * them.
 */
function fonts() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !has('apt-get')) return;
  const noto = '/usr/share/fonts/truetype/noto';
  if (['NotoSans-Regular', 'NotoColorEmoji'].some((name) => !existsSync(`${noto}/${name}.ttf`)))
    install('fonts');
  const eastAsian = '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc';
  if (process.argv[2] === 'test' && !existsSync(eastAsian)) install('eastAsianFonts');
}

/** A step that installs a program if a function of `browser-path.mjs` does not find it. */
const found = (path, name) => async () => {
  const paths = await import('../packages/testkit/browser-path.mjs');
  try {
    paths[path]();
  } catch {
    install(name);
  }
};

const browser = found('browserPath', 'browser');
const firefox = found('firefoxPath', 'firefox');
const webkitDriver = found('webkitPaths', 'webkit');
/** WebKit and what it decodes H.264 with. */
async function webkit() {
  await webkitDriver();
  const plugin = join('gstreamer-1.0', 'libgstlibav.so');
  const plugins = readdirSync('/usr/lib').map((name) => join('/usr/lib', name, plugin));
  if (!plugins.some((path) => existsSync(path))) install('webkitDecoders');
}

/** A step that runs one of npm's build scripts with the project's own Node. */
const built = (what, script) => () => {
  console.log(`Building ${what} ...`);
  const { status, stdout, stderr, error } = spawnSync(
    windows ? 'npm.cmd' : 'npm',
    ['run', '--silent', script],
    { encoding: 'utf8', maxBuffer: 1 << 26, shell: windows },
  );
  if (status !== 0) stop(`npm run ${script} failed:\n${error?.message ?? stdout + stderr}`);
};
const player = built('the player', 'build:player');
const kit = built('the kit', 'build:kit');
const demo = built('the demo', 'build:demo');
// With what only the packed kit needs: types, and data for code editors.
const build = built('the packages', 'build');

const packages = () => orStop(installAllPackages);

const steps = {
  ports,
  dependencies: () => dependencies(),
  programs,
  packages,
  ffmpeg,
  fonts,
  browser,
  firefox,
  webkit,
  player,
  kit,
  build,
  demo,
};
for (const need of needs) await steps[need]();
