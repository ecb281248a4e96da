import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { webkitPaths } from 'clip-testkit/browser-path';
import { freePort } from './free-port.ts';
import type { OwnServer } from './own-server.ts';

/** Ends with this process, even after a crash. */
const spawnBound = (command: string, args: string[], env: NodeJS.ProcessEnv): ChildProcess =>
  spawn('setpriv', ['--pdeathsig', 'TERM', '--', command, ...args], {
    env,
    // The display writes its number to the third descriptor.
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });

const hasEnded = (child: ChildProcess): boolean =>
  child.exitCode !== null || child.signalCode !== null;

async function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const end = once(child, 'exit');
  child.kill();
  await end;
}

/** A display in memory, and the name by which programs find it. */
async function startDisplay(program: string) {
  const child = spawnBound(
    program,
    ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'],
    process.env,
  );
  const announced = once(child.stdio[3]!, 'data').then(([number]) => String(number).trim());
  const name = await Promise.race([announced, once(child, 'exit').then(() => null)]);
  if (!name) throw new Error(`${program} did not start a display. Start it by hand to see why.`);
  return { name: `:${name}`, child };
}

/**
 * Starts a WebDriver server for WebKit on a free loopback port; `WEBDRIVER_URL` is its address. Its
 * end ends the browser and the display, too.
 */
export async function startWebKit(_directory: string, signal: AbortSignal): Promise<OwnServer> {
  const { driver, display } = webkitPaths();
  const screen = await startDisplay(display);
  const port = await freePort();
  const server = spawnBound(driver, [`--port=${port}`, '--host=127.0.0.1'], {
    ...process.env,
    DISPLAY: screen.name,
    // There is no desktop bus here.
    NO_AT_BRIDGE: '1',
  });
  const url = `http://127.0.0.1:${port}`;
  const end = async (): Promise<void> => {
    await stop(server);
    await stop(screen.child);
  };
  const answers = () =>
    fetch(`${url}/status`).then(
      ({ ok }) => ok,
      () => false,
    );
  try {
    while (!(await answers())) {
      signal.throwIfAborted();
      if (hasEnded(server)) throw new Error(`${driver} ended before it answered at ${url}.`);
      await pause(20);
    }
  } catch (error) {
    await end();
    throw error;
  }
  return { env: { WEBDRIVER_URL: url }, stop: end };
}
