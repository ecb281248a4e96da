import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readSettings, SettingsError } from '../src/settings.ts';

const environment = { CLIP_API_URL: 'http://localhost:4400/v2', CLIP_API_KEY: 'key' };

describe('settings', () => {
  it('let no agent pay, save files or listen, unless they say so', () => {
    const settings = readSettings([], environment);
    assert.deepEqual(
      [settings.mayExport, settings.hasWebhooks, settings.downloads, settings.http, settings.user],
      [false, false, null, null, null],
    );
    assert.equal(readSettings(['--allow-exports'], environment).mayExport, true);
  });

  it('allow webhooks, which are the organization’s, to no agent of one user', () => {
    assert.equal(readSettings(['--allow-webhooks'], environment).hasWebhooks, true);
    const ofUser = { ...environment, CLIP_USER: 'ann' };
    assert.throws(() => readSettings(['--allow-webhooks'], ofUser), /whole organization/);
  });

  it('name each wrong variable, and show no secret', () => {
    assert.throws(
      () => readSettings([], { CLIP_API_URL: 'ftp://x', CLIP_API_KEY: 'secret key' }),
      (error: Error) => {
        assert.ok(error instanceof SettingsError);
        assert.match(error.message, /CLIP_API_URL must be an http or https URL/);
        assert.match(error.message, /CLIP_API_KEY must be visible ASCII/);
        assert.ok(!error.message.includes('secret key'));
        return true;
      },
    );
  });

  it('take the address of an editor only with a place for the clip', () => {
    const editorUrl = 'https://www.example.com/{project_id}';
    const withEditor = { ...environment, CLIP_EDITOR_URL: editorUrl };
    assert.equal(readSettings([], withEditor).editorUrl, editorUrl);
    const without = { ...environment, CLIP_EDITOR_URL: 'https://www.example.com/' };
    assert.throws(() => readSettings([], without), /CLIP_EDITOR_URL must contain {project_id}/);
  });

  it('refuse HTTP without a token, an option they do not know, and a port that is none', () => {
    assert.throws(() => readSettings(['--http', '8080'], environment), /CLIP_MCP_TOKEN is missing/);
    assert.throws(() => readSettings(['--pay'], environment), SettingsError);
    const withToken = { ...environment, CLIP_MCP_TOKEN: 'a-token-of-16-characters' };
    assert.throws(() => readSettings(['--http', '80a'], withToken), /port from 0 to 65535/);
    assert.equal(readSettings(['--http', '0'], withToken).http?.port, 0);
  });
});
