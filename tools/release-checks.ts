/** Lists what keeps a version from being published: each problem, and what to do. */
import type { Publication } from './packed-package.ts';

export interface Problem {
  readonly what: string;
  readonly meaning: string;
  readonly remedy: string;
}

/** The parts of a manifest that a release depends on. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const isAddress = (value: string): boolean => /^https:\/\/[^\s/?#]+\/[^\s?#]*$/.test(value);

function checkPublication({ homepage, repository }: Publication): Problem[] {
  const problems: Problem[] = [];
  if (homepage === null || !isAddress(homepage) || !homepage.endsWith('/')) {
    problems.push({
      what: `The homepage in tools/publication.ts is ${JSON.stringify(homepage)}.`,
      meaning: 'The links of the packages, and the help of each error, would lead nowhere.',
      remedy: 'Set the address of the documentation: https, with a slash at its end.',
    });
  }
  if (repository === null || !isAddress(repository) || /(?:\/|\.git)$/.test(repository)) {
    problems.push({
      what: `The repository in tools/publication.ts is ${JSON.stringify(repository)}.`,
      meaning: 'Users could not find the sources, and pages link to files in it.',
      remedy: 'Set its address: https, without a slash or ".git" at its end.',
    });
  }
  return problems;
}

/** Finds what is wrong before anything is built. The kit is the first of the manifests. */
export function checkSources(sources: {
  readonly publication: Publication;
  /** The output of `git status --porcelain`. */
  readonly changes: string;
  readonly changelog: string;
  readonly manifests: readonly [Manifest, ...Manifest[]];
}): Problem[] {
  const problems = checkPublication(sources.publication);
  if (sources.changes.trim()) {
    problems.push({
      what: `Some files are not committed:\n${sources.changes.trimEnd()}`,
      meaning: 'The packages would not be what the repository has at this version.',
      remedy: 'Commit or remove them.',
    });
  }
  const [{ name, version }, ...others] = sources.manifests;
  const heading = sources.changelog
    .split('\n')
    .find((line) => line === `## ${version}` || line.startsWith(`## ${version} `));
  if (!heading || !/ \(\d{4}-\d\d-\d\d\)$/.test(heading)) {
    problems.push({
      what: heading
        ? `CHANGELOG.md says "${heading.slice(3)}".`
        : `CHANGELOG.md has no section "${version}".`,
      meaning: 'Users could not read what has changed, or when.',
      remedy: `Give the section the heading "## ${version} (YYYY-MM-DD)", or package.json another version.`,
    });
  }
  for (const other of others) {
    const needed = other.dependencies?.[name];
    if (other.version === version && needed === `^${version}`) continue;
    problems.push({
      what: `${other.name} is ${other.version} and depends on ${name} ${needed}.`,
      meaning: `It would be installed with another version than ${version}, which it is not tested with.`,
      remedy: `Set its version to ${version} and the dependency to ^${version}, then run npm install.`,
    });
  }
  return problems;
}

/** Finds what is wrong in the pages of a package, by their paths. */
export function checkPages(
  name: string,
  pages: ReadonlyMap<string, string>,
  deadLinksOf: (path: string) => readonly string[],
): Problem[] {
  const dead = [...pages.keys()].flatMap((path) =>
    deadLinksOf(path).map((target) => `  ${path}: ${target}`),
  );
  const early = [...pages].filter(([, text]) => /\bnot\s+published\s+yet\b/i.test(text));
  const problems: Problem[] = [];
  if (dead.length > 0) {
    problems.push({
      what: `Links in the pages of ${name} are dead:\n${dead.join('\n')}`,
      meaning: 'Those who read the package cannot follow them.',
      remedy: 'Correct them in the pages of the repository.',
    });
  }
  if (early.length > 0) {
    problems.push({
      what: `${early.map(([path]) => path).join(', ')} of ${name} say "not published yet".`,
      meaning: 'That is wrong as soon as this version is published.',
      remedy: 'Write how to install the package from the registry: begin with docs/start.md.',
    });
  }
  return problems;
}

/** Finds the sections that `error.help` leads to and that the published page does not have. */
export function checkHelp(
  address: string,
  /** The page at the address; null if there is none. */
  html: string | null,
  codes: readonly string[],
): Problem[] {
  const missing = codes.filter((code) => !html?.includes(`id="${code}"`));
  if (codes.length > 0 && missing.length === 0) return [];
  return [
    {
      what:
        html === null
          ? `${address} cannot be loaded.`
          : `${address} has no section ${missing.join(', ')}.`,
      meaning: 'The help of errors in this version leads there.',
      remedy: 'Publish the documentation of this version first: npm run docs:site builds it.',
    },
  ];
}
