/**
 * Blocks of code on the pages that no other test runs: scripts use what the packages have, JSON and
 * shell commands can be read. Pages of stacks, hosts and the sign-in are run by their own tests.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { linkPublished } from '../support/published-packages.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Run by the tests of sites, hosts, the sign-in and publishing, or history. */
const testedElsewhere =
  /^docs\/(?:start\/|hosts\/|sign-in|decisions\/|testing\.md|recipes\/publish)/;

const pages = [
  'README.md',
  'src/README.md',
  'packages/host/README.md',
  ...(await readdir(`${root}docs`, { recursive: true }))
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path}`)
    .filter((path) => !testedElsewhere.test(path)),
];

interface Block {
  readonly name: string;
  readonly language: string;
  readonly code: string;
}

const blocks: readonly Block[] = pages.flatMap((path) =>
  [...readFileSync(root + path, 'utf8').matchAll(/^( *)```(\w+)\n(.*?)^\1```/gms)].map(
    ([, , language = '', code = ''], at) => ({ name: `${path}, block ${at + 1}`, language, code }),
  ),
);
const blocksIn = (...languages: readonly string[]): readonly Block[] =>
  blocks.filter(({ language }) => languages.includes(language));

/** What a block expects around it: earlier blocks of its page, the site's own names. */
const surroundings = `
type Kit = typeof import('clip-kit') & typeof import('clip-kit/elements');
type Host = import('clip-host').ClipHostOptions<import('clip-host').HostUser & SiteUser>;
type Tags = typeof import('clip-kit/clip-create') &
  typeof import('clip-kit/clip-export-many') &
  typeof import('clip-kit/clip-feed') &
  typeof import('clip-kit/clip-list') &
  typeof import('clip-kit/clip-videos');
type SiteUser = { plan: string; pays: boolean; isMember: boolean };

declare const preview: InstanceType<Kit['ClipPreview']>;
declare const embed: InstanceType<Kit['ClipEmbed']>;
declare const button: InstanceType<Kit['ClipExportButton']>;
declare const list: InstanceType<Kit['ClipList']>;
declare const many: InstanceType<Kit['ClipExportMany']>;
declare const feed: InstanceType<Kit['ClipFeed']>;
declare const create: InstanceType<Kit['ClipCreate']>;
declare const videos: InstanceType<Kit['ClipVideos']>;
declare const frame: HTMLIFrameElement;
declare const $: Document['querySelector'];

declare const configure: Kit['configure'];
declare const registerLocale: Kit['registerLocale'];
declare const createClipHost: (options: Partial<Host>) => import('clip-host').ClipHost;
declare const ServiceClient: typeof import('clip-kit/client').ServiceClient;
declare const service: import('clip-kit/client').ServiceClient;
declare const host: import('clip-kit/client').HostClient;
declare const clip: { projectId: string; folderId: string };
declare const baseUrl: string, apiKey: string, project: string, id: string, attempt: string;
declare const token: string, body: string;
declare const headers: Record<string, string>;

declare const database: import('node:sqlite').DatabaseSync;
declare const userOf: (request: Request) => Promise<{ id: string } & SiteUser>;
declare const isForMembers: (clip: string) => boolean;
declare const addToInvoiceOnce: (user: string, exportId: string) => Promise<void>;
declare const myUser: () => Promise<{ clipSession: string } | undefined>;
declare const send: (name: string, details: object) => void;
declare const count: (project: string, muted?: boolean) => void;
declare const mark: (project: string, percent: number) => void;
declare const offer: (name: string, url: string) => void;
declare const showPlans: () => void;

// Packages that only a reader has.
declare module '@angular/core' {
  export function Component(options: object): ClassDecorator;
}
declare module '@storybook/web-components-vite' {
  export function setCustomElementsManifest(manifest: object): void;
}
// A worker of Cloudflare.
interface RequestInit {
  cf?: object;
}
`;

/** An error of a block that leaves out options with "…". */
const isLeftOut = (code: string, error: string): boolean =>
  /\/\*? ?(…|\.\.\.)/.test(code) &&
  /missing the following properties|is missing in type/.test(error);

describe('scripts on the pages', () => {
  let directory: string;
  let errors: ReadonlyMap<string, readonly string[]>;

  before(() => {
    directory = mkdtempSync(join(realpathSync(tmpdir()), 'clip-blocks-'));
    linkPublished(directory);
    writeFileSync(join(directory, 'package.json'), '{ "type": "module" }');
    const around = join(directory, 'surroundings.d.ts');
    writeFileSync(around, surroundings);
    // The module of the session, as the pages about the sign-in write it.
    writeFileSync(
      join(directory, 'session.d.ts'),
      'export const userOf: typeof globalThis.userOf;',
    );
    const files = new Map(
      blocksIn('js', 'ts').map(({ name, language, code }, at) => {
        const file = join(directory, `${at}.${language}`);
        writeFileSync(file, `${code}\nexport {};\n`);
        return [file, { name, code }];
      }),
    );
    const program = ts.createProgram([around, ...files.keys()], {
      allowJs: true,
      checkJs: true,
      lib: ['lib.esnext.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
      module: ts.ModuleKind.Preserve,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      experimentalDecorators: true,
      preserveSymlinks: true,
      noEmit: true,
      skipLibCheck: true,
      strict: false,
      target: ts.ScriptTarget.ESNext,
      types: ['node'],
    });
    const found = new Map<string, string[]>();
    for (const { file, messageText, start = 0 } of ts.getPreEmitDiagnostics(program)) {
      const { name, code } = files.get(file?.fileName ?? '') ?? { name: 'surroundings', code: '' };
      const line = file ? file.text.slice(0, start).split('\n').length : 0;
      const text = `${line}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
      if (!isLeftOut(code, text)) found.set(name, [...(found.get(name) ?? []), text]);
    }
    errors = found;
  });
  after(() => rmSync(directory, { recursive: true }));

  it('have surroundings without errors', () => assert.equal(errors.get('surroundings'), undefined));

  for (const { name } of blocksIn('js', 'ts')) {
    it(`${name}: uses what the packages have`, () => assert.deepEqual(errors.get(name) ?? [], []));
  }
});

describe('JSON on the pages', () => {
  for (const { name, code } of blocksIn('json')) {
    it(`${name} can be read`, () => assert.ok(JSON.parse(code)));
  }
});

describe('commands on the pages', () => {
  for (const { name, code } of blocksIn('sh')) {
    it(`${name} can be read by a shell`, () => {
      const { status, stderr } = spawnSync('bash', ['-n'], { input: code, encoding: 'utf8' });
      assert.equal(status, 0, stderr);
    });
  }
});
