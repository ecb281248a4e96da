/** Prints the notes of the release in package.json. Needs a build: `npm run release-notes`. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { releasePage } from './release-page.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const cdn = `${root}dist/cdn/`;
const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { version: string };
const files = new Map(
  readdirSync(cdn, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.js'))
    .sort()
    .map((path) => [path.replaceAll('\\', '/'), readFileSync(cdn + path)]),
);
process.stdout.write(releasePage(version, readFileSync(`${root}CHANGELOG.md`, 'utf8'), files));
