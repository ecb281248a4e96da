import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readSettings, SettingsError } from '../src/settings.ts';

const environment = { CLIP_API_URL: 'http://localhost:4400/v2', CLIP_API_KEY: 'key' };

describe('settings', () => {
  it('let no agent pay, save files or listen, unless they say so', () => {
    const settings = readSettings([], environment);
    assert.deepEqual(
      [settings.mayExport, settings.hasWebhooks, settings.mayShare, settings.downloads],
      [false, false, false, null],
    );
    assert.deepEqual([settings.http, settings.user], [null, null]);
    assert.equal(readSettings(['--allow-sharing'], environment).mayShare, true);
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

  const signIn = {
    ...environment,
    CLIP_HOST_URL: 'https://clips.example/host/',
    CLIP_HOST_SECRET: 'a secret of the site, of 32 bytes or more',
  };
  const url = 'https://mcp.example.com/mcp';
  const issuer = 'https://login.example.com/';
  const all = ['--http', '4500', '--public-url', url, '--issuer', issuer];

  it('let people sign in at an issuer, with a host that knows them', () => {
    const access = {
      ...{ publicUrl: url, issuer, userClaim: null },
      ...{ hostUrl: 'https://clips.example/host', hostSecret: signIn.CLIP_HOST_SECRET },
    };
    const http = { address: '127.0.0.1', port: 4500, access };
    assert.deepEqual(readSettings(all, signIn).http, http);
    const other = readSettings([...all, '--http', '[::]:80', '--user-claim', 'id'], signIn).http;
    assert.deepEqual(other, { address: '[::]', port: 80, access: { ...access, userClaim: 'id' } });
  });

  it('refuse a sign-in of which a part is missing, not safe, or of one user for all', () => {
    const rest = all.slice(2);
    assert.throws(() => readSettings(rest, signIn), /--http must be a port/);
    for (const option of [2, 4]) {
      const args = all.toSpliced(option, 2);
      assert.throws(() => readSettings(args, signIn), /give all of --public-url/);
    }
    assert.throws(() => readSettings(all, environment), /CLIP_HOST_URL and CLIP_HOST_SECRET/);
    const short = { ...signIn, CLIP_HOST_SECRET: 'short' };
    assert.throws(() => readSettings(all, short), /CLIP_HOST_SECRET must have at least 32/);
    for (const unsafe of ['http://mcp.example.com/mcp', `${url}?user=1`, `${url}#x`, 'mcp']) {
      const args = [...all, '--public-url', unsafe];
      assert.throws(() => readSettings(args, signIn), /must be an https URL/);
    }
    assert.throws(
      () => readSettings([...all, '--issuer', 'http://x.example'], signIn),
      /https URL/,
    );
    for (const more of [{ CLIP_USER: 'ann' }, { CLIP_MCP_TOKEN: 'a-token-of-16-characters' }]) {
      assert.throws(() => readSettings(all, { ...signIn, ...more }), /each person has own clips/);
    }
    for (const more of [['--downloads', '.'], ['--allow-webhooks']]) {
      assert.throws(() => readSettings([...all, ...more], signIn), /each person has own clips/);
    }
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
    const open = ['--http', '0.0.0.0:4500'];
    assert.throws(() => readSettings(open, withToken), /a shared token is for this machine/);
  });
});
