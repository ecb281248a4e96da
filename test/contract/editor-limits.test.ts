import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toJSONSchema } from 'zod/mini';
import {
  editChangesSchema,
  editorLimitsSchema,
  findLimitFaults,
  listFieldErrors,
  type EditorTool,
} from '../../src/contract/index.ts';

describe('limits of the editor', () => {
  const refusals: readonly (readonly [limits: unknown, path: string, message: RegExp])[] = [
    [{ tools: ['cut', 'export'] }, 'tools.1', /must be among cut, words, style, layout, post/],
    [{ tools: 'cut' }, 'tools', /must be among cut/],
    [{ tools: [] }, 'tools', /must name a tool/],
    [{ presets: 'bold' }, 'presets', /must be a list of ids/],
    [{ presets: [1] }, 'presets.0', /must be the id of a preset/],
    [{ text: 'no' }, 'text', /must be true or false/],
    [{ tool: ['cut'] }, 'tool', /./],
  ];
  for (const [limits, path, message] of refusals) {
    it(`are none: ${JSON.stringify(limits)}`, () => {
      const { success, error } = editorLimitsSchema.safeParse(limits);
      assert.equal(success, false);
      const [fault] = listFieldErrors(error!);
      assert.equal(fault!.path, path);
      assert.match(fault!.message, message);
    });
  }

  const faults = (limits: object, changed: Record<string, unknown>): Record<string, string> =>
    Object.fromEntries(
      findLimitFaults(limits, changed).map(({ path, message }) => [path, message]),
    );

  const fieldsOf: Readonly<Record<EditorTool, readonly string[]>> = {
    cut: ['start', 'end', 'removed', 'restored', 'remove_silences', 'remove_fillers'],
    words: ['words', 'muted', 'speakers'],
    style: [
      ...['title', 'style_preset_id', 'captions', 'dimensions', 'music', 'intro', 'outro'],
      ...['captions of the options', 'emojis', 'intro_title'],
    ],
    layout: ['shots', 'reframe'],
    post: ['title', 'description', 'tags', 'cover'],
  };
  const options = ['emojis', 'intro_title', 'reframe', 'remove_silences', 'remove_fillers'];
  const makePatch = (name: string): Record<string, unknown> => {
    if (name === 'captions of the options') return { editing_options: { captions: false } };
    return options.includes(name) ? { editing_options: { [name]: true } } : { [name]: 'any' };
  };
  for (const [tool, fields] of Object.entries(fieldsOf)) {
    it(`with the tool ${tool}, ${fields.join(', ')} can be changed, and nothing else`, () => {
      const all = [...new Set(Object.values(fieldsOf).flat())];
      const allowed = all.filter(
        (name) => findLimitFaults({ tools: [tool as EditorTool] }, makePatch(name)).length === 0,
      );
      assert.deepEqual(allowed.toSorted(), [...fields].toSorted());
    });
  }

  it('know every field of an edit', () => {
    const schema = toJSONSchema(editChangesSchema) as {
      properties: Record<string, { properties?: object }>;
    };
    const nested = schema.properties['editing_options']!.properties!;
    const names = new Set(Object.values(fieldsOf).flat());
    for (const name of [...Object.keys(schema.properties), ...Object.keys(nested)]) {
      assert.ok(name === 'editing_options' || names.has(name), `${name} is in no tool`);
    }
  });

  it('refuse a field that no tool is known to change', () => {
    assert.deepEqual(Object.keys(faults({ tools: ['cut'] }, { unknown: {} })), ['unknown']);
    assert.deepEqual(Object.keys(faults({ tools: ['cut'] }, { constructor: {} })), ['constructor']);
    assert.deepEqual(faults({}, { unknown: {} }), {});
  });

  it('take the removal of all options for a change of each', () => {
    assert.deepEqual(Object.keys(faults({ tools: ['cut'] }, { editing_options: null })), [
      'editing_options.captions',
      'editing_options.emojis',
      'editing_options.intro_title',
      'editing_options.reframe',
    ]);
  });

  it('without text, leave every written word as it is', () => {
    const written = { words: {}, speakers: {}, title: '', description: null, tags: [], name: 'x' };
    const changed = { ...written, subtitles_url: 'x', cover: { time: 1 }, removed: [] };
    assert.deepEqual(faults({ text: false }, changed), {
      words: 'editor.text is false',
      speakers: 'editor.text is false',
      title: 'editor.text is false',
      description: 'editor.text is false',
      tags: 'editor.text is false',
      name: 'editor.text is false',
      subtitles_url: 'editor.text is false',
    });
  });

  it('with presets, allow those and the style that the clip was made with', () => {
    const limits = { presets: ['bold', 'calm'] };
    for (const id of ['bold', 'calm', null]) {
      assert.deepEqual(faults(limits, { style_preset_id: id }), {});
    }
    for (const field of ['style_preset_id', 'preset_id']) {
      assert.deepEqual(faults(limits, { [field]: 'punch' }), {
        [field]: 'editor.presets does not have punch',
      });
    }
    assert.deepEqual(Object.keys(faults({ presets: [] }, { preset_id: 'bold' })), ['preset_id']);
  });
});
