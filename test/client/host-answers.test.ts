import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clip, clipList, task } from '../../src/client/clip-answers.ts';
import { upload } from '../../src/client/send-file.ts';
import { type Answers, readers, readWith, parseRetryAfter } from '../../src/client/host-answers.ts';
import { type Export, exportListSchema, exportSchema } from '../../src/contract/export.ts';
import { tokenAnswerSchema } from '../../src/contract/host.ts';
import { listFieldErrors, problemSchema } from '../../src/contract/problem.ts';
import { type Project, projectSchema } from '../../src/contract/project.ts';
import { type PageTask, pageTaskSchema } from '../../src/contract/task.ts';
import { type Upload, uploadSchema } from '../../src/contract/upload.ts';

const date = '2026-11-21T10:00:00.000Z';
const anExport: Required<Export> = {
  id: 'e',
  status: 'ready',
  src_url: 'https://a/b',
  estimated_ready_at: date,
  project_id: 'p',
  created_at: date,
  finished_at: date,
  name: 'n',
  author_id: 'a',
  folder_id: 'f',
  descriptions: 'd',
  watermarked: true,
  progress: { stage: 'render', share: 0.5, seconds_left: 12.5 },
  failure: { code: 'c', message: 'm' },
  notes: [{ code: 'c', message: 'm' }],
  revision: 2,
  description: 'd',
  tags: ['bees'],
  cover_url: 'https://a/c',
};
const aClip: Required<Project> = {
  id: 'p',
  author_id: 'a',
  folder_id: 'f',
  name: 'n',
  created_at: date,
  virality_score: 0.5,
  virality_score_explanation: 'e',
  notes: [{ code: 'c', message: 'm' }],
  titles: ['n', 'm'],
  description: 'd',
  tags: ['bees'],
  topic: 'bees',
  poster_url: 'https://a/b',
  width: 1080,
  height: 1920,
  duration: 12.5,
  revision: 2,
  views: 0,
};
const aTask: Required<PageTask> = {
  id: 't',
  type: 'video-to-shorts',
  status: 'processing',
  created_at: date,
  output_type: 'folder',
  output_id: 'f',
  progress: {
    ...{ stage: 'scan', share: 0.5, seconds_left: 12.5 },
    ...{ stage_seconds_left: 2.5, bytes: 40, total_bytes: 161 },
  },
  failure: { code: 'c', message: 'm' },
  notes: [{ code: 'c', message: 'm' }],
  name: 'n',
  source_task_id: 't0',
  source_seconds: 61.5,
  picture_url: 'https://a/b',
  clip_count: 3,
};
const anUpload: Required<Upload> = {
  id: 'u',
  status: 'open',
  protocol: 'tus',
  url: 'https://a/b',
  name: 'n',
  size: 10,
  offset: 0,
  created_at: date,
  expires_at: date,
};
const allReaders = { ...readers, clip, task, upload };
const schemas = {
  export: exportSchema,
  exportList: exportListSchema,
  token: tokenAnswerSchema,
  problem: problemSchema,
  clip: projectSchema,
  task: pageTaskSchema,
  upload: uploadSchema,
};
const samples: Record<keyof Answers | 'clip' | 'task' | 'upload', unknown> = {
  upload: anUpload,
  clip: aClip,
  task: aTask,
  export: anExport,
  exportList: { exports: [anExport] },
  token: { external_access_token: 't', expires_at: date },
  problem: {
    type: 'about:blank',
    title: 't',
    status: 404,
    code: 'c',
    detail: 'd',
    errors: [{ path: 'a.b', message: 'm' }],
    unknown_outcome: false,
    started_at: '2026-01-31T10:00:00.000Z',
  },
};

/** Represents an omitted field. */
const absent = Symbol('absent');
// prettier-ignore
const probes: unknown[] = [
  absent, null, true, 0, 0.5, 1, -0.1, 1.5, 404,
  '', ' ', '.', '..', '...', 'ä', '\ud800',
  'ready', 'processing', 'error', 'pending', 'in_progress', 'completed', 'failed', 'toString', 'Ready',
  '2026-01-31', '2026-01-31 10:00', '2026-01-31T10:00:00', '2026-01-31T10:00:00.5+02:00',
  '2026-01-31T10:00:00-0130', '2026-13-01', 'Jan 31 2026',
  [], [null], [anExport], {}, { exports: [] }, { exports: 1 }, { projects: 1 },
  'video_to_video', 'folder', 'http://u@a', 'ftp://a/b', 12, -1,
  { path: 'a' }, [{ path: 'a', message: 1 }], { stage: 's' }, { stage: 's', share: 2 }, { code: 1 },
];

/** Where something does not fit. The wording is each side's own. */
const pathsOf = (errors: readonly { path: string }[]): Set<string> =>
  new Set(errors.map(({ path }) => path));

/** The sample with each of its values, at any depth, replaced in turn by each probe. */
const variants = function* (value: unknown): Generator<unknown> {
  for (const probe of probes) if (probe !== absent) yield probe;
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield { ...value, further: 1 };
  for (const [name, inner] of Object.entries(value)) {
    const others = Object.entries(value).filter(([other]) => other !== name);
    const rebuilt = (field: unknown): unknown =>
      Array.isArray(value) ? [field] : { ...Object.fromEntries(others), [name]: field };
    if (!Array.isArray(value)) yield Object.fromEntries(others);
    for (const variant of variants(inner)) yield rebuilt(variant);
  }
};

describe('the answers that the elements read', () => {
  for (const kind of Object.keys(schemas) as (keyof typeof schemas)[]) {
    it(`${kind}: is what the contract's schema makes of it, in what fits and in what does not`, () => {
      const compare = (body: unknown): boolean => {
        const asText = JSON.stringify(body);
        const parsed = schemas[kind].safeParse(body);
        const read = readWith(allReaders[kind], body);
        if (parsed.success) {
          // A dropped field is missing, or undefined.
          assert.deepEqual(read, { value: JSON.parse(JSON.stringify(parsed.data)) }, asText);
        } else {
          // The first of them: the schema reports all.
          const { path } = 'error' in read ? read.error : {};
          assert.ok(pathsOf(listFieldErrors(parsed.error)).has(path!), asText);
        }
        return parsed.success;
      };
      assert.equal(compare(samples[kind]), true);
      const seen = { fit: 0, misfit: 0 };
      for (const body of variants(samples[kind])) seen[compare(body) ? 'fit' : 'misfit']++;
      assert.ok(seen.fit > 20 && seen.misfit > 100, JSON.stringify(seen));
    });
  }

  it('the samples have every field that the contract has, so that a new one is compared too', () => {
    const fields = (schema: { def: { shape: object } }) => Object.keys(schema.def.shape).sort();
    assert.deepEqual(fields(exportSchema), Object.keys(anExport).sort());
    assert.deepEqual(fields(projectSchema), Object.keys(aClip).sort());
    assert.deepEqual(fields(pageTaskSchema), Object.keys(aTask).sort());
    assert.deepEqual(fields(tokenAnswerSchema), Object.keys(samples.token as object).sort());
    assert.deepEqual(fields(problemSchema), Object.keys(samples.problem as object).sort());
  });

  it('clipList: a clip that cannot be read is undefined, and hides no other', () => {
    const { value: read } = readWith(clip, aClip) as { value: Project };
    for (const body of [[aClip, {}, null], { projects: [aClip, {}, null] }]) {
      assert.deepEqual(readWith(clipList, body), { value: [read, undefined, undefined] });
    }
    assert.ok('error' in readWith(clipList, {}));
  });
});

const now = Date.parse('2026-01-31T10:00:00Z');

describe('Retry-After in milliseconds', () => {
  for (const [header, wait] of [
    ['0', 0],
    ['30', 30_000],
    ['Sat, 31 Jan 2026 10:00:10 GMT', 10_000],
    ['Sat, 31 Jan 2026 10:00:00 GMT', 0],
    ['Sat, 31 Jan 2026 09:59:59 GMT', null],
    ['-5', null],
    ['1.5', null],
    ['soon', null],
    ['', null],
    [null, null],
  ] as const) {
    it(`${JSON.stringify(header)} is ${wait}`, () =>
      assert.equal(parseRetryAfter(header, now), wait));
  }
});
