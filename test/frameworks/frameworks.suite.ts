/**
 * Each example as a site uses it: installed from the packed kit, built, started and tested over
 * HTTP. `npm run test:frameworks` runs this.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { describeConformance } from '../support/conformance.ts';
import { send } from 'clip-testkit/mounted-host';
import type { Program } from '../support/program.ts';
import { installExamples } from './install-examples.ts';
import { examples, startExample } from './start-example.ts';

const directory = await mkdtemp(join(tmpdir(), 'clip-examples-'));
after(() => rm(directory, { recursive: true, force: true }));
await installExamples(directory);

const nowhere = { CLIP_API_URL: 'http://127.0.0.1:9/v2', CLIP_API_KEY: 'key' };

for (const example of examples) {
  describeConformance(`the example of ${example}`, (env) => startExample(example, directory, env));
}

describe('Next', () => {
  let site: Program;
  before(async () => {
    site = await startExample('next', directory, nowhere);
  });
  after(() => site?.stop());

  const token = (headers: Readonly<Record<string, string>>) =>
    send(site.url, 'POST', '/clips/token', {
      body: {},
      headers: { Cookie: 'user=ann', ...headers },
    });

  it('takes a page of its own origin by Origin alone, and refuses others', async () => {
    // 503: the request is accepted, but there is no service.
    assert.equal((await token({ Origin: site.url })).status, 503);
    assert.equal((await token({ Origin: 'http://evil.example' })).status, 403);
    assert.equal((await token({ 'Sec-Fetch-Site': 'cross-site' })).status, 403);
    const { status } = await token({
      Origin: 'http://evil.example',
      'X-Forwarded-Host': 'evil.example',
    });
    assert.equal(status, 403);
  });

  it('draws the first page with the element on it', async () => {
    const { status, text } = await send(site.url, 'GET', '/?project=clip-1');
    assert.equal(status, 200);
    // A press waits until its script runs.
    assert.match(text, /<clip-export-button project="clip-1" endpoint="\/clips" hydrating="">/);
  });
});
