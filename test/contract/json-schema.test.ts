import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as z from 'zod/mini';
import * as contract from '../../src/contract/index.ts';

const requests = {
  videoToShortsRequestSchema: ['source_video_url'],
  videoToVideoRequestSchema: ['source_video_url', 'editing_options'],
  startExportBodyASchema: undefined,
  startExportBodyBSchema: ['preset_id'],
  exportFilterSchema: undefined,
  emptyBodySchema: undefined,
  tokenRequestSchema: undefined,
  hostStartExportSchema: ['project_id'],
} as const;

describe('JSON Schema (for OpenAPI)', () => {
  for (const [name, required] of Object.entries(requests)) {
    it(`of ${name} is closed and names what is required`, () => {
      const schema = z.toJSONSchema(contract[name as keyof typeof requests], { io: 'input' });
      assert.equal(schema.type, 'object');
      assert.equal(schema.additionalProperties, false);
      assert.deepEqual(schema.required, required);
    });
  }

  it('has the limits and defaults of 4.1', () => {
    const { properties = {} } = z.toJSONSchema(contract.videoToShortsRequestSchema, {
      io: 'input',
    });
    assert.deepEqual(properties['max_duration'], {
      type: 'integer',
      minimum: 1,
      maximum: 180,
      default: 180,
    });
    assert.deepEqual(properties['transcription_context'], { type: 'string', maxLength: 1000 });
  });

  for (const name of [
    'taskSchema',
    'projectSchema',
    'projectListSchema',
    'exportSchema',
    'exportListSchema',
    'startExportRecordSchema',
    'userSchema',
    'accessTokenSchema',
    'problemSchema',
  ] as const) {
    it(`of the answer ${name} can be made`, () => {
      assert.ok(z.toJSONSchema(contract[name], { io: 'output' }).type);
    });
  }
});
