import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installPackages } from './install-packages.mjs';
import { asServerUser, giveTo, startServer } from './own-server.ts';

/** There on every Debian. */
const serverUser = 'www-data';
/** Debian does not put it on every user's path. */
const program = '/usr/sbin/nginx';

/**
 * nginx in an empty directory, as a proxy of several API processes on loopback ports. Another one
 * is asked if a connection to the first fails. Gives the function that stops it.
 */
export async function startNginx(
  directory: string,
  port: number,
  backends: readonly number[],
): Promise<() => Promise<void>> {
  if (!existsSync(program)) installPackages('nginx');
  const settings = join(directory, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(directory, name)};`,
  );
  await writeFile(
    settings,
    `daemon off;
pid ${join(directory, 'nginx.pid')};
error_log stderr notice;
events { worker_connections 4096; }
http {
  access_log off;
  ${temporary.join('\n  ')}
  upstream api {
    ${backends.map((backend) => `server 127.0.0.1:${backend} max_fails=0;`).join('\n    ')}
    keepalive 32;
  }
  server {
    listen 127.0.0.1:${port};
    client_max_body_size 64k;
    location / {
      proxy_pass http://api;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_buffering off;
      # A download waits for its render for up to ten minutes.
      proxy_read_timeout 660s;
    }
  }
}
`,
  );
  await giveTo(serverUser, directory, settings);
  return startServer({
    command: asServerUser(serverUser, [program, '-e', 'stderr', '-p', directory, '-c', settings]),
    env: { PATH: process.env['PATH'] ?? '' },
    directory,
    ready: { on: 'stderr', text: 'start worker process' },
  });
}
