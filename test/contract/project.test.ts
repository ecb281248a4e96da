import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { projectListSchema, projectSchema } from '../../src/contract/index.ts';

const project = {
  id: 'p-1',
  author_id: 'u-1',
  folder_id: 'f-1',
  name: 'Why whales sing',
  created_at: '2026-01-31T10:00:00.000Z',
  virality_score: 0.75,
  virality_score_explanation: 'Opens with a question.',
};

describe('Project Object (2.2)', () => {
  it('is read as it is, without what is unknown', () => {
    assert.deepEqual(projectSchema.parse({ ...project, thumbnail: 'x' }), project);
  });

  it('has null for folder, score and explanation of a video-to-video project, left out or not', () => {
    const { id, author_id, name, created_at } = project;
    const bare = { id, author_id, name, created_at };
    const nulls = { folder_id: null, virality_score: null, virality_score_explanation: null };
    assert.deepEqual(projectSchema.parse(bare), { ...bare, ...nulls });
    assert.deepEqual(projectSchema.parse({ ...bare, ...nulls }), { ...bare, ...nulls });
  });

  it('has a score from 0 to 1', () => {
    for (const virality_score of [0, 1]) {
      assert.equal(
        projectSchema.parse({ ...project, virality_score }).virality_score,
        virality_score,
      );
    }
    for (const virality_score of [-0.01, 1.01, 75, '0.5']) {
      assert.equal(projectSchema.safeParse({ ...project, virality_score }).success, false);
    }
  });
});

describe('the fields of a project beside the specification', () => {
  const shown = {
    poster_url: 'https://clips.example/player/p-1/poster.jpg',
    width: 1080,
    height: 1920,
    duration: 24.56,
  };

  it('are kept', () => {
    assert.deepEqual(projectSchema.parse({ ...project, ...shown }), { ...project, ...shown });
  });

  const wrong = {
    poster_url: ['javascript:alert(1)', 'poster.jpg', 'https://a:b@clips.example/x.jpg', null, 7],
    width: [0, -1, 1.5, '1080', null],
    height: [0, 2 ** 60],
    duration: [0, -1, Infinity, '24', null],
  };
  for (const [name, values] of Object.entries(wrong)) {
    it(`are dropped if they do not fit: ${name}`, () => {
      for (const value of values) {
        const { [name as keyof typeof shown]: _, ...rest } = shown;
        const read = projectSchema.parse({ ...project, ...shown, [name]: value });
        assert.deepEqual(JSON.parse(JSON.stringify(read)), { ...project, ...rest }, String(value));
      }
    });
  }
});

describe('list of projects (4.4)', () => {
  it('comes bare', () => {
    assert.deepEqual(projectListSchema.parse([project]), [project]);
    assert.deepEqual(projectListSchema.parse([]), []);
  });

  it('or as {projects: [...]}', () => {
    assert.deepEqual(projectListSchema.parse({ projects: [project], total: 1 }), [project]);
  });

  for (const wrong of [{}, { items: [project] }, { projects: null }, project, null, 'text']) {
    it(`and not as ${JSON.stringify(wrong).slice(0, 40)}`, () => {
      assert.equal(projectListSchema.safeParse(wrong).success, false);
    });
  }

  it('rejects a list with one element that is not a project', () => {
    const { error } = projectListSchema.safeParse([project, { ...project, id: 7 }]);
    assert.deepEqual(error?.issues[0]?.path, [1, 'id']);
  });
});
