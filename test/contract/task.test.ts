import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  listFieldErrors,
  maxInputSeconds,
  pageVideoToShortsSchema,
  pageVideoToVideoSchema,
  taskSchema,
  videoToShortsRequestSchema,
  videoToVideoRequestSchema,
} from '../../src/contract/index.ts';

const source = 'https://videos.example/talk.mp4';

function refusals(
  schema: Pick<typeof videoToShortsRequestSchema, 'safeParse'> | typeof pageVideoToVideoSchema,
  body: unknown,
): Record<string, string> {
  const result = schema.safeParse(body);
  assert.equal(result.success, false, 'should be refused');
  return Object.fromEntries(
    listFieldErrors(result.error!).map(({ path, message }) => [path, message]),
  );
}

describe('body of POST /tasks/video-to-shorts (4.1)', () => {
  it('has every default of 4.1 and 2.6', () => {
    assert.deepEqual(videoToShortsRequestSchema.parse({ source_video_url: source }), {
      source_video_url: source,
      name: 'Upload',
      target_clip_count: 10,
      max_clip_count: 10,
      min_duration: 1,
      max_duration: 180,
      target_duration: 60,
      editing_options: {
        captions: true,
        reframe: true,
        emojis: true,
        intro_title: true,
        remove_silences: false,
      },
      dimensions: { width: 1080, height: 1920 },
    });
  });

  it('fills in what a partial editing_options or dimensions leaves out', () => {
    const parsed = videoToShortsRequestSchema.parse({
      source_video_url: source,
      editing_options: { captions: false },
      dimensions: { width: 720 },
    });
    assert.deepEqual(parsed.editing_options, {
      captions: false,
      reframe: true,
      emojis: true,
      intro_title: true,
      remove_silences: false,
    });
    assert.deepEqual(parsed.dimensions, { width: 720, height: 1920 });
  });

  it('needs source_video_url alone', () => {
    assert.deepEqual(Object.keys(refusals(videoToShortsRequestSchema, {})), ['source_video_url']);
  });

  const limits: [field: string, low: number, high: number][] = [
    ['min_duration', 1, 120],
    ['max_duration', 1, 180],
    ['target_duration', 1, 120],
    ['target_clip_count', 1, 100],
    ['max_clip_count', 1, 100],
    ['min_clip_count', 1, 100],
  ];
  for (const [field, low, high] of limits) {
    it(`takes ${field} from ${low} to ${high}, whole numbers only`, () => {
      for (const value of [low, high]) {
        // So that the other bound has no effect.
        const body = { source_video_url: source, [field]: value };
        const wider = field === 'min_duration' ? { ...body, max_duration: 180 } : body;
        assert.equal(videoToShortsRequestSchema.parse(wider)[field as 'min_duration'], value);
      }
      for (const value of [low - 1, high + 1, -1, low + 0.5, String(low), null, NaN, Infinity]) {
        const body = { source_video_url: source, [field]: value };
        const message = refusals(videoToShortsRequestSchema, body)[field];
        assert.ok(message?.startsWith('must be'), `${value}: ${message}`);
      }
    });
  }

  it('refuses min_duration over max_duration, and takes them equal', () => {
    const body = { source_video_url: source, min_duration: 30, max_duration: 30 };
    assert.equal(videoToShortsRequestSchema.parse(body).min_duration, 30);
    assert.deepEqual(refusals(videoToShortsRequestSchema, { ...body, max_duration: 29 }), {
      min_duration: 'must not be greater than max_duration',
    });
  });
});

describe('body of POST /tasks/video-to-video (4.2)', () => {
  it('needs editing_options, which may be empty', () => {
    assert.deepEqual(
      Object.keys(refusals(videoToVideoRequestSchema, { source_video_url: source })),
      ['editing_options'],
    );
    assert.deepEqual(
      videoToVideoRequestSchema.parse({ source_video_url: source, editing_options: {} }),
      {
        source_video_url: source,
        name: 'Upload',
        editing_options: {
          captions: true,
          reframe: true,
          emojis: true,
          intro_title: true,
          remove_silences: false,
        },
        dimensions: { width: 1080, height: 1920 },
      },
    );
  });

  for (const field of [
    'target_clip_count',
    'max_clip_count',
    'min_clip_count',
    'min_duration',
    'max_duration',
    'target_duration',
  ]) {
    it(`has no ${field}`, () => {
      const body = { source_video_url: source, editing_options: {}, [field]: 10 };
      assert.deepEqual(refusals(videoToVideoRequestSchema, body), { [field]: 'unknown field' });
    });
  }
});

describe('the bodies that pages send', () => {
  it('have nothing that only who has the API key may ask for, and all else', () => {
    const asked = {
      metadata: { order: '1001' },
      export_when_ready: { count: 3 },
      webhook_url: 'https://example.com',
    };
    for (const [schema, whole] of [
      [pageVideoToShortsSchema, videoToShortsRequestSchema],
      [pageVideoToVideoSchema, videoToVideoRequestSchema],
    ] as const) {
      const body = { source_video_url: source, editing_options: {} };
      assert.deepEqual(schema.parse(body), whole.parse(body));
      assert.ok(whole.safeParse({ ...body, ...asked }).success);
      assert.deepEqual(refusals(schema, { ...body, ...asked }), {
        metadata: 'unknown field',
        export_when_ready: 'unknown field',
        webhook_url: 'unknown field',
      });
    }
    const body = { source_video_url: source, min_duration: 30, max_duration: 29 };
    assert.deepEqual(Object.keys(refusals(pageVideoToShortsSchema, body)), ['min_duration']);
  });
});

for (const [name, schema] of [
  ['video-to-shorts', videoToShortsRequestSchema],
  ['video-to-video', videoToVideoRequestSchema],
] as const) {
  describe(`what the bodies share: ${name}`, () => {
    const body = { source_video_url: source, editing_options: {} };

    it('takes a transcription_context of 1000 characters and no more (8)', () => {
      const fits = { ...body, transcription_context: 'x'.repeat(1000) };
      assert.equal(schema.parse(fits).transcription_context?.length, 1000);
      const beyond = { ...body, transcription_context: 'x'.repeat(1001) };
      assert.deepEqual(refusals(schema, beyond), {
        transcription_context: 'must be at most 1000 characters',
      });
    });

    it('takes metadata of 20 texts, whatever they say', () => {
      const pairs = (length: number) =>
        Object.fromEntries(Array.from({ length }, (_, at) => [`key_${at}.a-b`, '<x> "y" 😀']));
      assert.deepEqual(schema.parse({ ...body, metadata: pairs(20) }).metadata, pairs(20));
      assert.deepEqual(refusals(schema, { ...body, metadata: pairs(21) }), {
        metadata: 'must have at most 20 keys',
      });
      const longest = { ['k'.repeat(40)]: 'v'.repeat(500) };
      assert.deepEqual(schema.parse({ ...body, metadata: longest }).metadata, longest);
      for (const [wrong, path] of [
        [{ '': 'v' }, 'metadata.'],
        [{ 'a b': 'v' }, 'metadata.a b'],
        [{ ['k'.repeat(41)]: 'v' }, `metadata.${'k'.repeat(41)}`],
        [{ a: 'v'.repeat(501) }, 'metadata.a'],
        [{ a: 5 }, 'metadata.a'],
        [{ a: { b: 'v' } }, 'metadata.a'],
        [['v'], 'metadata'],
        ['v', 'metadata'],
      ] as const) {
        const refused = refusals(schema, { ...body, metadata: wrong });
        assert.deepEqual(Object.keys(refused), [path], JSON.stringify(refused));
      }
    });

    it('takes a number of clips to export, or all, with the options of an export', () => {
      const mark = { src_url: 'https://site.example/mark.png' };
      const whole = { src_url: mark.src_url, pos_x: 0.5, pos_y: 0.5, scale: 1 };
      for (const [asked, parsed] of [
        [{ count: 1 }, { count: 1 }],
        [
          { count: 'all', preset_id: 'p' },
          { count: 'all', preset_id: 'p' },
        ],
        [
          { count: 100, watermark: mark },
          { count: 100, watermark: whole },
        ],
      ] as const) {
        const { export_when_ready } = schema.parse({ ...body, export_when_ready: asked });
        assert.deepEqual(export_when_ready, parsed);
      }
      for (const [wrong, field, message] of [
        [{}, '.count', 'must be 1 to 100, or "all"'],
        [{ count: 0 }, '.count', 'must be 1 to 100'],
        [{ count: 101 }, '.count', 'must be 1 to 100'],
        [{ count: 'some' }, '.count', 'must be 1 to 100, or "all"'],
        [{ count: 1, quality: 'best' }, '.quality', 'unknown field'],
        ['all', '', 'must be an object like {"count": 3} or {"count": "all"}'],
        [
          { count: 1, preset_id: 'p', watermark: mark },
          '.preset_id',
          'watermark and preset_id cannot be sent together',
        ],
      ] as const) {
        assert.deepEqual(refusals(schema, { ...body, export_when_ready: wrong }), {
          [`export_when_ready${field}`]: message,
        });
      }
    });

    it('takes a name of 1 to 255 characters', () => {
      assert.equal(schema.parse({ ...body, name: 'x'.repeat(255) }).name.length, 255);
      for (const wrong of ['', 'x'.repeat(256), 5]) {
        assert.deepEqual(Object.keys(refusals(schema, { ...body, name: wrong })), ['name']);
      }
    });

    it('takes dimensions of 16 to 4096 whole pixels', () => {
      for (const value of [16, 4096]) {
        const parsed = schema.parse({ ...body, dimensions: { width: value, height: value } });
        assert.deepEqual(parsed.dimensions, { width: value, height: value });
      }
      for (const value of [15, 4097, 0, -1080, 1080.5, '1080', null]) {
        const dimensions = { width: value, height: value };
        assert.deepEqual(Object.keys(refusals(schema, { ...body, dimensions })), [
          'dimensions.width',
          'dimensions.height',
        ]);
      }
    });

    for (const option of ['captions', 'reframe', 'emojis', 'intro_title', 'remove_silences']) {
      it(`takes ${option} as a boolean only`, () => {
        for (const value of [true, false]) {
          const parsed = schema.parse({ ...body, editing_options: { [option]: value } });
          assert.equal(parsed.editing_options[option as 'captions'], value);
        }
        for (const value of ['true', 1, null]) {
          const wrong = { ...body, editing_options: { [option]: value } };
          assert.deepEqual(refusals(schema, wrong), {
            [`editing_options.${option}`]: 'expected boolean',
          });
        }
      });
    }

    it('takes language codes, and names what is not one', () => {
      for (const language of ['en', 'pt-BR', 'zh_Hant_TW', 'fil']) {
        assert.equal(
          schema.parse({ ...body, language, translate_to: language }).language,
          language,
        );
      }
      for (const language of ['', 'e', 'english language', 'en-', '12']) {
        const wrong = { ...body, language, translate_to: language };
        assert.deepEqual(Object.keys(refusals(schema, wrong)), ['language', 'translate_to']);
      }
    });

    it('takes a style_preset_id by the rule of ids', () => {
      assert.equal(schema.parse({ ...body, style_preset_id: 'bold' }).style_preset_id, 'bold');
      assert.deepEqual(refusals(schema, { ...body, style_preset_id: '' }), {
        style_preset_id: 'must not be empty',
      });
    });

    it('refuses unknown fields and names each, at its depth', () => {
      const wrong = {
        ...body,
        webhook: 'https://example.com',
        editing_options: { zoom: true },
        dimensions: { depth: 3 },
      };
      assert.deepEqual(refusals(schema, wrong), {
        webhook: 'unknown field',
        'editing_options.zoom': 'unknown field',
        'dimensions.depth': 'unknown field',
      });
    });

    it('rejects a value that is not an object', () => {
      for (const wrong of [undefined, null, [], 'text', 5]) {
        assert.deepEqual(Object.keys(refusals(schema, wrong)), ['']);
      }
    });
  });
}

it('limits the input to 5 hours for shorts and 15 minutes for one video (8)', () => {
  assert.deepEqual(maxInputSeconds, { 'video-to-shorts': 18_000, 'video-to-video': 900 });
});

describe('Task Object (2.1)', () => {
  const task = {
    id: 't-1',
    type: 'video-to-shorts',
    status: 'processing',
    created_at: '2026-01-31T10:00:00.000Z',
    output_type: 'folder',
    output_id: 'f-1',
  };

  it('is read as it is', () => {
    assert.deepEqual(taskSchema.parse(task), task);
  });

  for (const [legacy, type] of [
    ['video_to_shorts', 'video-to-shorts'],
    ['video_to_video', 'video-to-video'],
  ]) {
    it(`reads the legacy type ${legacy} as ${type}`, () => {
      assert.equal(taskSchema.parse({ ...task, type: legacy }).type, type);
    });
  }

  it('drops unknown fields', () => {
    assert.deepEqual(taskSchema.parse({ ...task, credits: 3 }), task);
  });

  it('keeps progress and failure, the additions of the self-hosted service, within their limits', () => {
    const progress = { stage: 'render', share: 1 };
    const failure = { code: 'source-unreachable', message: 'No answer.' };
    assert.deepEqual(taskSchema.parse({ ...task, progress, failure }), {
      ...task,
      progress,
      failure,
    });
    assert.deepEqual(taskSchema.parse({ ...task, progress: null, failure: null }).progress, null);
    for (const share of [-0.01, 1.01]) {
      assert.equal(
        taskSchema.safeParse({ ...task, progress: { ...progress, share } }).success,
        false,
      );
    }
  });

  for (const [field, value, message] of [
    ['type', 'video-to-gif', 'expected one of video-to-shorts, video-to-video'],
    ['output_type', 'file', 'expected one of folder, project'],
    ['output_id', undefined, 'expected string'],
    ['id', 5, 'expected string'],
  ] as const) {
    it(`rejects a task with ${field} ${JSON.stringify(value)}`, () => {
      const { error } = taskSchema.safeParse({ ...task, [field]: value });
      assert.deepEqual(listFieldErrors(error!), [{ path: field, message }]);
    });
  }
});
