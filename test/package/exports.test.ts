import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { linkPublished } from '../support/published-packages.ts';
import { built, entries, packageJson, root } from './package-files.ts';

const run = promisify(execFile);

const elements = ['ClipConfig', 'ClipEmbed', 'ClipExportButton', 'ClipPreview'];
const events = [
  'ClipEditErrorEvent',
  'ClipEditEvent',
  'ClipEmbedErrorEvent',
  'ClipEmbedReadyEvent',
  'ClipExportErrorEvent',
  'ClipExportProgressEvent',
  'ClipExportReadyEvent',
  'ClipExportStartEvent',
  'ClipPreviewActivateEvent',
  'ClipPreviewErrorEvent',
  'ClipPreviewReadyEvent',
  'ClipSignedOutEvent',
  'ClipTokenRenewedEvent',
];
const kit = [...elements, ...events, 'ClipError', 'configure', 'isClipError', 'registerLocale'];

const list = [
  'ClipList',
  'ClipListChangeEvent',
  'ClipListErrorEvent',
  'ClipListItemEvent',
  'ClipListProgressEvent',
  'ClipListReadyEvent',
];

const feed = [
  'ClipChangeEvent',
  'ClipEndEvent',
  'ClipFeed',
  'ClipFeedErrorEvent',
  'ClipFeedItemEvent',
];

const create = [
  'ClipCreate',
  'ClipCreateErrorEvent',
  'ClipCreateStartEvent',
  'ClipTaskEvent',
  'ClipUploadEvent',
];

const videos = ['ClipVideoEvent', 'ClipVideos', 'ClipVideosChangeEvent', 'ClipVideosErrorEvent'];

const many = ['ClipExportMany', 'ClipSelectEvent'];

/** The values that each entry exports. Adding one is a decision; removing one breaks pages. */
const documented: Readonly<Record<string, readonly string[]>> = {
  '.': kit,
  './upgrade': [],
  './elements': [...kit, ...feed, ...list, ...create, ...videos, ...many],
  './define/clip-config.js': ['ClipConfig'],
  './define/clip-embed.js': ['ClipEmbed'],
  './define/clip-preview.js': ['ClipPreview'],
  './define/clip-export-button.js': ['ClipExportButton'],
  './define/clip-feed.js': feed,
  './clip-feed': feed,
  './define/clip-list.js': list,
  './clip-list': list,
  './define/clip-export-many.js': many,
  './clip-export-many': many,
  './define/clip-create.js': create,
  './clip-create': create,
  './define/clip-videos.js': videos,
  './clip-videos': videos,
  './client': [
    'CallError',
    'HostClient',
    'HttpError',
    'SchemaError',
    'ServiceClient',
    'SessionSource',
    'TransportError',
    'nextPoll',
  ],
  './react': [
    ...['ClipConfig', 'ClipCreate', 'ClipEmbed', 'ClipExportButton', 'ClipExportMany'],
    ...['ClipFeed', 'ClipList', 'ClipPreview', 'ClipVideos'],
  ],
  './contract': [
    'accessTokenSchema',
    'allowanceSchema',
    'attemptKeySchema',
    'attemptLifetime',
    'clipLinksSchema',
    'confirmedStartSchema',
    'dateTimeSchema',
    'deliveryListQuerySchema',
    'deliveryListSchema',
    'deliverySchema',
    'dimensionsSchema',
    'downloadFileName',
    'editChangesSchema',
    'editDocumentSchema',
    'editPatchSchema',
    'editRevisionsSchema',
    'editorLimitsSchema',
    'editingOptionsSchema',
    'emptyBodySchema',
    'exportFilterSchema',
    'exportListSchema',
    'exportSchema',
    'failureSchema',
    'fieldErrorSchema',
    'findLimitFaults',
    'listFieldErrors',
    'hostStartExportSchema',
    'httpUrlSchema',
    'idSchema',
    'isSignedWebhook',
    'maxInputSeconds',
    'maxWaitSeconds',
    'bumperListSchema',
    'bumperSchema',
    'musicListSchema',
    'musicSchema',
    'mutedWordsSchema',
    'newClipSchema',
    'newShareSchema',
    'newLinksSchema',
    'newSecretSchema',
    'newTokenSchema',
    'newUploadSchema',
    'newWebhookSchema',
    'noteSchema',
    'permissionSchema',
    'pingEventSchema',
    'playerEvents',
    'problemSchema',
    'problemStatuses',
    'problemTitles',
    'progressSchema',
    'projectListSchema',
    'projectSchema',
    'revertBodySchema',
    'shareListSchema',
    'shareSchema',
    'shareWithUrlSchema',
    'safeParseStartedExport',
    'signWebhook',
    'startExportBodyASchema',
    'startExportBodyBSchema',
    'startExportRecordSchema',
    'statusSchema',
    'statuses',
    'subtitleEndings',
    'exportWhenReadySchema',
    'metadataSchema',
    'pageTaskSchema',
    'pageVideoToShortsSchema',
    'pageVideoToVideoSchema',
    'taskListSchema',
    'taskPageSchema',
    'taskSchema',
    'taskTypes',
    'taskMoreSchema',
    'taskWordsSchema',
    'tokenAnswerSchema',
    'tokenRequestSchema',
    'uploadSchema',
    'userSchema',
    'videoToShortsRequestSchema',
    'videoToVideoRequestSchema',
    'viewBatchSchema',
    'viewReportSchema',
    'viewsRequestSchema',
    'waitSeconds',
    'watermarkSchema',
    'webhookChangesSchema',
    'webhookEventSchema',
    'webhookHeaders',
    'webhookListSchema',
    'webhookSchema',
    'webhookSecretSchema',
    'webhookWithSecretSchema',
    'importWebhookKey',
    'decodeWebhookSecret',
    'downloadAddressSchema',
    'downloadRequestSchema',
    'readKnownState',
    'getTaskState',
    'hashText',
  ],
};

/** For a script element of a page: the elements' base class does not exist in Node. */
const forPagesAlone = ['./cdn/clip-kit.js', './cdn/clip-studio.js'];

/** Declarations that frameworks read. */
const types = ['elements', 'placeholder.css', 'preact', 'react', 'solid', 'svelte', 'vue'].map(
  (name) => `./types/${name}`,
);

/** The values that each entry of `clip-host` exports. */
const documentedOfHost: Readonly<Record<string, readonly string[]>> = {
  'clip-host': ['createClipHost', 'memoryStore', 'postgresStore', 'redisStore', 'sqliteStore'],
  'clip-host/node': ['getNodeRequest', 'nodeHandler'],
  'clip-host/next': ['routeHandlers'],
  'clip-host/d1': ['d1Store'],
};

const published = (path: string) => packageJson.name + path.slice(1);

const place = mkdtempSync(join(tmpdir(), 'clip-kit-exports-'));
after(() => rmSync(place, { recursive: true }));
linkPublished(place);

/** Runs a module that imports by the published name, in a separate Node process without flags. */
async function evaluate(script: string): Promise<unknown> {
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: place,
    env: { PATH: process.env['PATH'] },
  });
  return JSON.parse(stdout);
}

describe('package.json: exports', () => {
  it('are all tested here', () => {
    assert.deepEqual(
      [...entries.keys()].sort(),
      [
        ...Object.keys(documented),
        ...forPagesAlone,
        ...types,
        './angular',
        './custom-elements.json',
        './package.json',
        './placeholder.css',
        './vscode.html-custom-data.json',
        './web-types.json',
      ].sort(),
    );
  });

  for (const [path, target] of entries) {
    const files =
      typeof target === 'string' ? [target] : [target.types, target.default ?? target.types];
    it(`${path} points to files that exist: ${files.join(', ')}`, () => {
      for (const file of files) assert.ok(existsSync(root + file.slice(2)), file);
    });
  }

  it('are imported by their published names in plain Node, and give what is documented', async () => {
    const ofKit = Object.entries(documented).map(
      ([path, names]) => [published(path), names] as const,
    );
    const wanted = Object.fromEntries(
      [...ofKit, ...Object.entries(documentedOfHost)].map(([name, names]) => [
        name,
        [...names].sort(),
      ]),
    );
    const given = await evaluate(`
      const given = {};
      for (const name of ${JSON.stringify(Object.keys(wanted))}) {
        given[name] = Object.keys(await import(name)).sort();
      }
      console.log(JSON.stringify(given));`);
    assert.deepEqual(given, wanted);
  });

  it('have what bundlers find that read only `main`: Parcel, without its setting', () => {
    const entry = entries.get('.') as { readonly default: string };
    assert.equal(packageJson.main, entry.default);
  });

  for (const name of [
    ...['clip-kit/custom-elements.json', 'clip-kit/package.json', 'clip-host/openapi.json'],
  ]) {
    it(`${name} is imported as JSON`, async () => {
      const [key] = (await evaluate(`
        const module = await import('${name}', { with: { type: 'json' } });
        console.log(JSON.stringify(Object.keys(module)));`)) as string[];
      assert.equal(key, 'default');
    });
  }

  it('nothing else can be imported', async () => {
    const names = [
      ...['host/routes.js', 'dist/index.js', 'src/index.ts', 'flow/list-order.js'].map(
        (path) => `clip-kit/${path}`,
      ),
      ...['clip-host/dist/index.js', 'clip-host/src/index.ts', 'clip-host/routes/routes.js'],
    ];
    const codes = await evaluate(`
      const codes = [];
      for (const name of ${JSON.stringify(names)}) {
        codes.push(await import(name).then(() => name, ({ code }) => code));
      }
      console.log(JSON.stringify(codes));`);
    assert.deepEqual(
      codes,
      names.map(() => 'ERR_PACKAGE_PATH_NOT_EXPORTED'),
    );
  });

  it('the bundles for pages are all there', () => {
    assert.deepEqual(
      built.filter((file) => /^dist\/cdn\/[^/]+\.js$/.test(file)),
      forPagesAlone.map((path) => `dist/${path.slice(2)}`),
    );
  });

  for (const path of forPagesAlone) {
    it(`${path} is one file of valid syntax, that imports locales beside it and nothing else`, async () => {
      const file = `${root}dist/${path.slice(2)}`;
      await run(process.execPath, ['--check', file]);
      const imported = [
        ...(await readFile(file, 'utf8')).matchAll(/\bimport\b[^"'`]*["'`]([^"'`]+)["'`]/g),
      ].map(([, address]) => address!);
      assert.ok(imported.length > 0);
      for (const address of imported) {
        assert.match(address, /^\.\/locales\//);
        assert.ok(built.includes(`dist/cdn/${address.slice(2)}`), address);
      }
    });
  }
});

describe('package.json: sideEffects', () => {
  const definedBy = (path: string) =>
    evaluate(`
      const defined = [];
      globalThis.customElements = { get: () => undefined, define: (tag) => defined.push(tag) };
      await import('${published(path)}');
      console.log(JSON.stringify(defined.sort()));`);
  const tags = ['clip-config', 'clip-embed', 'clip-export-button', 'clip-preview'];
  const hasSideEffects = (file: string) =>
    packageJson.sideEffects.some((pattern) =>
      new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`).test(file),
    );

  for (const [path, defined] of [
    ['.', tags],
    ...tags.map((tag) => [`./define/${tag}.js`, [tag]] as const),
    ['./elements', []],
    ['./client', []],
    ['./contract', []],
  ] as const) {
    const target = entries.get(path);
    const file = typeof target === 'object' ? target.default! : '';
    it(`${path} defines ${defined.join(', ') || 'nothing'}, and ${defined.length ? 'is' : 'is not'} listed`, async () => {
      assert.deepEqual(await definedBy(path), defined);
      assert.equal(hasSideEffects(file), defined.length > 0);
    });
  }

  it('every pattern fits a file', () => {
    const sources = [
      './src/index.ts',
      './src/cdn/clip-kit.ts',
      './src/define/clip-embed.ts',
      './src/upgrade/index.ts',
    ];
    const files = [...built.map((file) => `./${file}`), ...sources];
    for (const pattern of packageJson.sideEffects) {
      const fits = new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`);
      assert.ok(
        files.some((file) => fits.test(file)),
        pattern,
      );
    }
  });
});
