export class Missing extends Error {}
export function installPackages(
  name:
    | 'django'
    | 'fastapi'
    | 'flask'
    | 'go'
    | 'hugo'
    | 'mediawiki'
    | 'nginx'
    | 'pgbouncer'
    | 'php'
    | 'postgres'
    | 'psr'
    | 'python'
    | 'redis'
    | 'swift'
    | 'wordpress',
): void;
