// The ports of the demo. Plain JavaScript: `npm start` looks at them before anything is installed,
// on whatever Node there is.
import { once } from 'node:events';
import { createServer } from 'node:net';

const presets = { PORT: 4300, SERVICE_PORT: 4400 };

/** The address on which the demo listens. */
export const address = '127.0.0.1';

function portOf(name, env) {
  const text = env[name];
  if (text === undefined || text === '') return presets[name];
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new TypeError(`${name} must be a port number, 0 to 65535 (0: any free one)`);
  }
  return port;
}

export const readPorts = (env) => ({
  port: portOf('PORT', env),
  servicePort: portOf('SERVICE_PORT', env),
});

export const busyMessage = (port) =>
  `Port ${port} is in use. Stop what listens there, or choose others: PORT=4310 SERVICE_PORT=4410 npm start`;

/** Rejects with a line for the terminal if a port of the demo is invalid or in use. */
export async function checkPorts(env) {
  for (const port of Object.values(readPorts(env))) {
    const server = createServer();
    try {
      await once(server.listen(port, address), 'listening');
    } catch (error) {
      throw error.code === 'EADDRINUSE' ? new Error(busyMessage(port)) : error;
    }
    server.close();
    await once(server, 'close');
  }
}
