// Does what somebody does who has just cloned the project, with an empty HOME: `npm start` and
// nothing else, then the printed lines of HTML on a page of another port, the printed studio, the
// zip of the WordPress plugin, and every command of README and documentation. Runs on Node 20 with
// nothing installed; in a fresh clone, unless this checkout is one. Exits with 1, and says why, if
// anything fails.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const checkout = join(dirname(fileURLToPath(import.meta.url)), '..');
const temporary = mkdtempSync(join(tmpdir(), 'clip-newcomer-'));
const env = { ...process.env, HOME: temporary };
let demo = null;
let studio = null;

function end(message) {
  // The whole process group: npm passes no signal on.
  if (demo?.exitCode === null) process.kill(-demo.pid, 'SIGTERM');
  studio?.kill();
  rmSync(temporary, { recursive: true, force: true });
  if (!message) return;
  console.error(`newcomer: ${message}`);
  process.exit(1);
}

function run(command, args, directory, more = {}) {
  const options = {
    cwd: directory,
    env: { ...env, ...more },
    stdio: ['ignore', 'inherit', 'inherit'],
  };
  return spawnSync(command, args, options).status === 0;
}

/** A fresh clone of what is committed; this checkout itself if nothing was installed in it yet. */
function freshClone() {
  if (!existsSync(join(checkout, 'node_modules'))) return checkout;
  const clone = join(temporary, 'clip-kit');
  if (!run('git', ['clone', '--quiet', checkout, clone], temporary)) end('git clone failed');
  return clone;
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/**
 * Resolves with the lines of HTML that `npm start` prints, and its program of a studio; rejects
 * with its output if it ends.
 */
function printedBlocks(directory, ports) {
  return new Promise((resolve, reject) => {
    const [PORT, SERVICE_PORT] = ports.map(String);
    demo = spawn('npm', ['start'], {
      cwd: directory,
      env: { ...env, PORT, SERVICE_PORT },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [demo.stdout, demo.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
        process.stdout.write(text);
        const block = /<script type="module"[^]*?<\/clip-preview>/.exec(output);
        const program = /^import \{ createHmac[^]*?\.listen\(.*\n/m.exec(output);
        if (block && program) resolve([block[0], program[0]]);
      });
    }
    demo.on('close', (code) => reject(new Error(`npm start ended with ${code}:\n${output}`)));
  });
}

const began = Date.now();
const passed = (what) =>
  console.log(`newcomer: ${what} (${Math.round((Date.now() - began) / 1000)} s)`);

process.on('SIGINT', () => end('interrupted'));
process.on('SIGTERM', () => end('interrupted'));
try {
  const directory = freshClone();
  const ports = [await freePort(), await freePort()];
  const [block, program] = await printedBlocks(directory, ports);
  passed('npm start has printed its lines of HTML, and a studio');
  if (!run('node', ['tools/setup.mjs', 'docs'], directory)) end('the browser is missing');
  const node = join(directory, 'node_modules', '.bin', 'node');
  writeFileSync(join(temporary, 'studio.mjs'), program);
  studio = spawn(node, [join(temporary, 'studio.mjs')], { env, stdio: 'inherit' });
  const test = (suite) => {
    const look = () => run(node, ['--test', suite], directory, { BLOCK: block });
    if (look()) return;
    // Once more, as for every file of tests.
    if (!look()) end(`${suite} has failed`);
    console.log(`flaky: ${suite}`);
  };
  test('test/e2e/newcomer.suite.ts');
  passed('the printed lines work on a page of another port, and so does the studio');
  if (!run('npm', ['run', 'wordpress:zip'], directory)) end('npm run wordpress:zip failed');
  if (!readdirSync(directory).includes('clip-kit.zip')) end('there is no clip-kit.zip');
  passed('npm run wordpress:zip has written the plugin');
  test('test/e2e/printed-commands.suite.ts');
  passed('the commands of README and documentation do what their pages say');
  end();
} catch (error) {
  end(error.message);
}
