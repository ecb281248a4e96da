export class Missing extends Error {}
export function installPackages(
  name:
    | 'django'
    | 'elixir'
    | 'fastapi'
    | 'flask'
    | 'go'
    | 'hugo'
    | 'java'
    | 'dokuwiki'
    | 'mediawiki'
    | 'nginx'
    | 'perl'
    | 'pgbouncer'
    | 'php'
    | 'postgres'
    | 'prometheus'
    | 'redis'
    | 'ruby'
    | 'swift'
    | 'wordpress'
    | 'ytDlp',
): void;
