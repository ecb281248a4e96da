/** The notes of a release: what has changed, and how a page loads this version from a CDN. */
import { createHash } from 'node:crypto';

/** Files of `dist/cdn` by their path in it. */
export type CdnFiles = ReadonlyMap<string, Uint8Array>;

/** A value for `integrity`. */
export const computeIntegrity = (content: Uint8Array): string =>
  `sha384-${createHash('sha384').update(content).digest('base64')}`;

/** A version's section of the changelog, without its heading. Throws if it is missing. */
export function readChanges(changelog: string, version: string): string {
  const section = changelog.split(/^## /m).find((text) => /^\S+/.exec(text)?.[0] === version);
  if (!section) throw new Error(`CHANGELOG.md has no section "## ${version}".`);
  return section.slice(section.indexOf('\n') + 1).trim();
}

/** The page in Markdown. `cdn` is the address of all packages, such as `https://unpkg.com`. */
export function releasePage(
  version: string,
  changelog: string,
  files: CdnFiles,
  cdn = 'https://cdn.jsdelivr.net/npm',
): string {
  const base = `${cdn}/clip-kit@${version}/dist/cdn`;
  const main = files.get('clip-kit.js');
  if (!main) throw new Error('There is no dist/cdn/clip-kit.js: npm run build');
  const hashes = [...files].map(([path, content]) => [path, computeIntegrity(content)] as const);
  const integrity = Object.fromEntries(
    hashes.map(([path, hash]) => [`${base}/${path}`, hash]).sort(),
  );
  return `# clip-kit ${version}

## From a CDN

\`\`\`html
<script type="module" crossorigin src="${base}/clip-kit.js"
  integrity="${computeIntegrity(main)}"></script>
\`\`\`

The script loads the texts of other languages later. This import map, before the script, has their hashes too:

\`\`\`html
<script type="importmap">
${JSON.stringify({ integrity }, null, 2)}
</script>
\`\`\`

| file | integrity |
|---|---|
${hashes.map(([path, hash]) => `| \`${path}\` | \`${hash}\` |`).join('\n')}

${readChanges(changelog, version)}
`;
}
