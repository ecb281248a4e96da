import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  exportFilterSchema,
  exportListSchema,
  exportSchema,
  listFieldErrors,
  safeParseStartedExport,
  startExportBodyASchema,
  startExportBodyBSchema,
  startExportRecordSchema,
} from '../../src/contract/index.ts';

const one = {
  id: '0b0e5f5e-8a3c-4d86-9f0e-0d3d8a4bb6c1',
  status: 'ready',
  src_url: 'https://files.example/a.mp4',
  estimated_ready_at: '2026-01-31T10:01:00.000Z',
  project_id: 'p-1',
  created_at: '2026-01-31T10:00:00.000Z',
  finished_at: '2026-01-31T10:00:50.000Z',
  name: 'Why whales sing',
  author_id: 'u-1',
  folder_id: 'f-1',
  descriptions: 'For the newsletter',
  watermarked: true,
};

describe('Export Object (2.3)', () => {
  it('is read as it is, without what is unknown', () => {
    assert.deepEqual(exportSchema.parse({ ...one, render_node: 7 }), one);
  });

  it('has an address only if it is http or https', () => {
    for (const src_url of [
      'javascript:alert(1)',
      ' javascript:alert(1)',
      'data:text/html,x',
      '/a.mp4',
    ]) {
      assert.equal(exportSchema.parse({ ...one, src_url }).src_url, null, src_url);
    }
    assert.equal(exportSchema.parse({ ...one, src_url: 'HTTP://a.b/c' }).src_url, 'HTTP://a.b/c');
  });

  it('has its nulls present, whether they were sent or left out', () => {
    const { id, project_id, created_at, name, author_id } = one;
    const minimal = { id, project_id, created_at, name, author_id, status: 'processing' };
    const nulls = {
      src_url: null,
      estimated_ready_at: null,
      finished_at: null,
      folder_id: null,
      descriptions: null,
      watermarked: null,
    };
    assert.deepEqual(exportSchema.parse(minimal), { ...minimal, ...nulls });
    assert.deepEqual(exportSchema.parse({ ...minimal, ...nulls }), { ...minimal, ...nulls });
  });

  it('has the present word for a legacy status', () => {
    assert.equal(exportSchema.parse({ ...one, status: 'in_progress' }).status, 'processing');
    assert.equal(exportSchema.parse({ ...one, status: 'completed' }).status, 'ready');
  });

  for (const field of ['id', 'project_id', 'created_at', 'name', 'author_id', 'status'] as const) {
    it(`is invalid without ${field}`, () => {
      const { [field]: _, ...rest } = one;
      assert.deepEqual(
        listFieldErrors(exportSchema.safeParse(rest).error!).map(({ path }) => path),
        [field],
      );
    });
  }
});

describe('list of exports (4.9)', () => {
  it('comes bare, or as {exports: [...]}', () => {
    assert.deepEqual(exportListSchema.parse([one]), [one]);
    assert.deepEqual(exportListSchema.parse({ exports: [one] }), [one]);
  });
  it('and in no other wrapping', () => {
    assert.equal(exportListSchema.safeParse({ projects: [one] }).success, false);
  });
  it('is filtered by folder_id and project_id alone', () => {
    assert.deepEqual(exportFilterSchema.parse({}), {});
    const both = { folder_id: 'f', project_id: 'p' };
    assert.deepEqual(exportFilterSchema.parse(both), both);
    assert.deepEqual(listFieldErrors(exportFilterSchema.safeParse({ page: '2' }).error!), [
      { path: 'page', message: 'unknown field' },
    ]);
  });
});

describe('answer of a start (4.6, 4.7)', () => {
  const record = {
    id: 'e-1',
    status: 'processing',
    projectId: 'p-1',
    estimatedReadyAt: '2026-01-31T10:01:00.000Z',
  };

  it('is the start-export record: four fields in camelCase, the others are internal', () => {
    const sent = { ...record, status: 'pending', renderQueue: 'a', createdAt: 'not even a date' };
    assert.deepEqual(startExportRecordSchema.parse(sent), record);
    assert.deepEqual(safeParseStartedExport(sent).data, record);
  });

  it('or the Export Object', () => {
    assert.deepEqual(safeParseStartedExport(one).data, one);
  });

  it('or neither, and the errors are those of the nearer shape', () => {
    const pathsOf = (answer: unknown) =>
      listFieldErrors(safeParseStartedExport(answer).error!).map(({ path }) => path);
    assert.deepEqual(pathsOf({ ...record, projectId: undefined }), ['projectId']);
    assert.deepEqual(pathsOf({ ...one, name: 5 }), ['name']);
    for (const wrong of [null, undefined, 'started', [], 5]) {
      assert.equal(safeParseStartedExport(wrong).success, false);
    }
  });
});

describe('body of a start', () => {
  it('is empty or a watermark in variant A', () => {
    assert.deepEqual(startExportBodyASchema.parse({}), {});
    assert.deepEqual(
      startExportBodyASchema.parse({ watermark: { src_url: 'https://example.com/a.png' } }),
      {
        watermark: { src_url: 'https://example.com/a.png', pos_x: 0.5, pos_y: 0.5, scale: 1 },
      },
    );
  });
  it('is the preset_id in variant B', () => {
    assert.deepEqual(startExportBodyBSchema.parse({ preset_id: 'bold' }), { preset_id: 'bold' });
    assert.equal(startExportBodyBSchema.safeParse({}).success, false);
  });
  it('is never a mixture', () => {
    assert.equal(startExportBodyASchema.safeParse({ preset_id: 'bold' }).success, false);
    const mixed = { preset_id: 'bold', watermark: { src_url: 'https://example.com/a.png' } };
    assert.deepEqual(listFieldErrors(startExportBodyBSchema.safeParse(mixed).error!), [
      { path: 'watermark', message: 'unknown field' },
    ]);
  });
});
