import { builtinModules } from 'node:module';

/**
 * Which way imports point, type imports included: `npm run lint:imports`. The rooms are described
 * in docs/architecture.md.
 */

/**
 * The rooms of a package, and what each may import from beside itself. What is not a room is a file
 * at its root.
 */
const rooms = (root, table) =>
  Object.entries(table).map(([room, allowed]) => ({
    name: `${root}/${room}`,
    comment: `${room} may import from: ${allowed.join(', ') || 'no other room'}.`,
    severity: 'error',
    from: { path: `^${root}/${room}(/|\\.ts$)` },
    to: { path: `^${root}/`, pathNot: `^${root}/(${[room, ...allowed].join('|')})(/|\\.ts$)` },
  }));

const kit = {
  contract: [],
  flow: ['contract'],
  client: ['contract', 'flow'],
  // The texts of the errors are by their code.
  locales: ['contract', 'client'],
  elements: ['contract', 'flow', 'client', 'locales'],
  define: ['elements'],
  upgrade: ['client', 'elements'],
  react: ['elements', 'define'],
};

const host = {
  stores: [],
  http: [],
  users: ['stores', 'http'],
  sessions: ['http'],
  policy: ['http', 'users'],
  holds: [],
  'rate-limit': ['http'],
  'service-variant': ['http'],
  'paid-starts': ['stores', 'http', 'users'],
  exports: ['stores', 'http', 'paid-starts', 'holds', 'service-variant'],
  tasks: ['stores', 'http', 'paid-starts', 'holds'],
  routes: [
    ...['stores', 'http', 'users', 'paid-starts', 'exports', 'tasks'],
    ...['policy', 'holds', 'service-variant', 'sessions'],
  ],
  options: ['stores', 'http', 'users', 'sessions', 'policy'],
  adapters: ['http', 'handler'],
  program: ['adapters', 'stores', 'sessions', 'options', 'handler'],
};

const mcp = {
  settings: [],
  answer: [],
  'save-clip': [],
  poster: ['settings'],
  tools: ['settings', 'answer', 'save-clip', 'poster'],
  server: ['settings', 'tools'],
  scopes: [],
  http: ['scopes'],
  oauth: ['settings', 'scopes', 'http'],
  people: ['settings'],
};

const nouns = ['facts', 'edit', 'spans', 'style'];
const engine = {
  facts: [],
  spans: ['facts'],
  style: [],
  edit: ['facts', 'style'],
  'music-level': ['facts', 'edit', 'spans'],
  program: [],
  remote: [],
  words: ['facts', 'spans', 'remote'],
  source: [...nouns, 'program', 'words'],
  transcribers: ['facts', 'spans', 'program', 'remote', 'source', 'words'],
  scan: [...nouns, 'program', 'source', 'words', 'transcribers'],
  moments: [...nouns, 'remote', 'words', 'source', 'scan'],
  framing: [...nouns, 'program', 'source', 'scan'],
  captions: [...nouns, 'program', 'words'],
  editing: [
    ...[...nouns, 'program', 'words', 'source', 'moments', 'framing', 'captions'],
    'music-level',
  ],
  render: [...nouns, 'program', 'source', 'framing', 'captions', 'music-level'],
  interchange: [...nouns, 'words', 'captions'],
};

const player = {
  locales: [],
  'merge-patch': [],
  // The page loads the editor when it is opened.
  page: ['appearance', 'clip-view', 'locales', 'editor'],
  editor: ['clip-view', 'locales', 'merge-patch'],
};

/** Nouns of the service, and what each may import of the others. */
const serviceNouns = {
  links: [],
  views: [],
  appearance: [],
  users: ['links'],
  uploads: ['users'],
  clips: ['links'],
  edits: ['clips'],
  tasks: ['links', 'users', 'uploads', 'clips', 'edits'],
  exports: ['links', 'appearance', 'users', 'clips', 'tasks'],
  webhooks: ['links', 'users', 'tasks', 'exports'],
  // The work of an operator, on all of them.
  operations: ['links', 'views', 'appearance', 'users', 'uploads', 'tasks', 'exports', 'webhooks'],
};
const low = ['api-error', 'config', 'telemetry', 'db', 'storage', 'queue'];
const belowTop = [...low, ...Object.keys(serviceNouns)];
const service = {
  'api-error': [],
  config: [],
  telemetry: ['config'],
  db: ['api-error', 'config'],
  storage: ['config', 'db'],
  queue: ['api-error', 'config', 'telemetry', 'db'],
  ...Object.fromEntries(
    Object.entries(serviceNouns).map(([noun, others]) => [noun, [...low, ...others]]),
  ),
  // Only service.ts and main.ts, which put the floors together, know both.
  api: belowTop,
  worker: belowTop,
};

export default {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'Files that import each other cannot be understood one at a time.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    ...rooms('src', kit),
    ...rooms('packages/host/src', host),
    ...rooms('packages/engine/src', engine),
    ...rooms('packages/mcp/src', mcp),
    ...rooms('packages/player/src', player),
    ...rooms('packages/service/src', service),
    {
      name: 'adapters',
      comment: 'An adapter uses the host and the contract, and no library.',
      severity: 'error',
      from: { path: '^packages/host/src/adapters/' },
      to: { pathNot: '^(packages/host/src/|clip-kit/contract$|node:|stream|http)' },
    },
    {
      name: 'host-by-package-name',
      comment: 'The host uses the contract and the client of clip-kit by their package names.',
      severity: 'error',
      from: { path: '^packages/host/src/' },
      to: {
        path: '^(src|dist|packages/(service|engine|mcp|player)|clip-kit)(/|$)',
        pathNot: '^clip-kit/(contract|client)$',
      },
    },
    {
      name: 'contract-on-zod',
      comment: 'The contract uses zod/mini and nothing else.',
      severity: 'error',
      from: { path: '^src/contract/' },
      to: { pathNot: '^(src/contract/|node_modules/zod/mini/)' },
    },
    {
      name: 'engine-alone',
      comment: 'The engine knows neither the kit nor the service, and of the contract the changes.',
      severity: 'error',
      from: { path: '^packages/engine/src/' },
      to: {
        path: '^(src|dist|packages/(host|service|mcp|player)|demo|clip-kit|clip-host|clip-player|clip-service)(/|$)',
        pathNot: '^clip-kit/contract$',
      },
    },
    {
      name: 'player-by-package-name',
      comment: 'The player uses clip-engine/drawing and clip-kit/contract by their package names.',
      severity: 'error',
      from: { path: '^packages/player/src/' },
      to: {
        path: '^(src|dist|packages/(host|engine|mcp|service)|clip-kit|clip-engine|clip-host|clip-service)(/|$)',
        pathNot: '^(clip-kit/contract|clip-engine/drawing)$',
      },
    },
    {
      name: 'service-by-package-name',
      comment:
        'The service uses clip-engine, clip-host, clip-player and clip-kit/contract by their package names.',
      severity: 'error',
      from: { path: '^packages/service/src/' },
      to: {
        path: '^(src|dist|packages/(host|engine|mcp|player)|clip-kit|clip-engine|clip-host|clip-player)(/|$)',
        pathNot: '^(clip-kit/contract|clip-host|clip-engine|clip-player)$',
      },
    },
    {
      name: 'drawing-in-browsers',
      comment: 'What draws a frame runs in browsers too: it reaches nothing of Node.',
      severity: 'error',
      from: { path: '^packages/(engine/src/drawing\\.ts$|player/src/(page|editor)/)' },
      to: { path: `^(node:.*|${builtinModules.join('|')})$`, reachable: true },
    },
    {
      name: 'sql-in-queries',
      comment: "SQL stands in a room's queries.ts, or …-queries.ts, and in db.",
      severity: 'error',
      from: {
        path: '^packages/service/src/',
        pathNot: '^packages/service/src/(db/|[a-z]+/[a-z-]*queries\\.ts$)',
      },
      to: { path: 'node_modules/(kysely|pg|@electric-sql)/' },
    },
    {
      name: 'pg-boss-in-queue',
      comment: 'pg-boss is used in packages/service/src/queue only.',
      severity: 'error',
      from: {
        path: '^packages/service/src/',
        pathNot: '^packages/service/src/queue/',
      },
      to: { path: 'node_modules/pg-boss/' },
    },
    {
      name: 'spawn-in-program',
      comment: 'Other programs are started in packages/engine/src/program only, under its limits.',
      severity: 'error',
      from: {
        path: '^packages/(engine|service)/src/',
        // It forks itself, and starts no other program.
        pathNot: '^(packages/engine/src/program/|packages/service/src/db/first-database\\.ts$)',
      },
      to: { path: '^(node:)?child_process$' },
    },
  ],
  options: {
    doNotFollow: { path: '(^|/)node_modules/|(^|/)dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.mjs', '.json'],
      conditionNames: ['types', 'import', 'default'],
    },
  },
};
