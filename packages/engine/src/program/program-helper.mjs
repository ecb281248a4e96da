/**
 * Starts programs for a large process: to start one, the system copies the tables of all memory of
 * the process that starts it, and that stands still meanwhile. Ends with that process.
 *
 * Argument: the name of the abstract socket that the streams of programs connect to. Messages: a
 * program to start; answers: that it was started, that it could not be, or how it has ended.
 *
 * JavaScript, because removing types takes memory, and this process is to be small.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';

const [name = ''] = process.argv.slice(2);
const pids = new Set();

/** Answers, unless the process that it works for has ended: then this one ends, too. */
const tell = (answer) => process.send(answer, () => {});

/** Connects one stream of a program, which is named by its first bytes. */
async function openStream(first) {
  const socket = connect(`\0${name}`);
  // Where it is waited for, a failure is thrown.
  socket.on('error', () => {});
  // What comes is for the program.
  socket.pause();
  await once(socket, 'connect');
  await new Promise((resolve, reject) => {
    socket.write(first, (error) => (error ? reject(error) : resolve()));
  });
  return socket;
}

async function start({ id, command, args, options }) {
  const opened = await Promise.allSettled([0, 1, 2].map((index) => openStream(id + index)));
  const sockets = opened.flatMap(({ value }) => value ?? []);
  try {
    const failed = opened.find(({ status }) => status === 'rejected');
    if (failed) throw failed.reason;
    const child = spawn(command, args, { ...options, detached: true, stdio: sockets });
    child.once('error', ({ code }) => tell({ id, failed: code }));
    const { pid } = child;
    if (pid === undefined) return;
    pids.add(pid);
    tell({ id, pid });
    child.once('exit', (code, signal) => {
      pids.delete(pid);
      tell({ id, end: { code, signal } });
    });
  } catch ({ code }) {
    tell({ id, failed: code });
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

process.on('message', (program) => void start(program));
// It ends with the process that it works for, and not before.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
process.once('disconnect', () => {
  for (const pid of pids) {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // Already gone.
    }
  }
  process.exit();
});
