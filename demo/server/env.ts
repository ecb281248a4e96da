import { resolve } from 'node:path';

export interface DemoEnv {
  /** Port of the site. */
  port: number;
  /** Port of the service that it starts. */
  servicePort: number;
  /** Where everything is kept. */
  dataDir: string;
}

const portOf = (name: string, text: string | undefined, preset: number): number => {
  if (text === undefined || text === '') return preset;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new TypeError(`${name} must be a port number, 0 to 65535 (0: any free one)`);
  }
  return port;
};

/** Reads PORT (4300), SERVICE_PORT (4400) and DATA_DIR (`.data`). Throws a `TypeError` that names what does not fit. */
export const readDemoEnv = (env: NodeJS.ProcessEnv): DemoEnv => ({
  port: portOf('PORT', env.PORT, 4300),
  servicePort: portOf('SERVICE_PORT', env.SERVICE_PORT, 4400),
  dataDir: resolve(env.DATA_DIR || '.data'),
});
