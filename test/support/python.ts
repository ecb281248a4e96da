import { spawnSync } from 'node:child_process';

export const djangoModules = 'django, sqlite3';
export const flaskModules = 'flask';
export const fastapiModules = 'fastapi, uvicorn, itsdangerous';

/** A Python that has these modules, or null. Debian's packages are only for Debian's own Python. */
export const pythonWith = (modules: string): string | null =>
  ['python3', '/usr/bin/python3'].find(
    (python) => spawnSync(python, ['-c', `import ${modules}`], { stdio: 'ignore' }).status === 0,
  ) ?? null;
