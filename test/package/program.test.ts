import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { HttpHost } from '../support/http-host.ts';
import { root } from './package-files.ts';

const host = `${root}packages/host/`;
const { bin } = JSON.parse(readFileSync(`${host}package.json`, 'utf8')) as {
  bin: Record<string, string>;
};
const program = host + bin['clip-host-check']!.slice(2);

/** Runs the built program in a separate process. */
async function run(...args: string[]) {
  const child = spawn(process.execPath, [program, ...args], { env: {} });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (more: string) => (text += more));
  const [code] = (await once(child, 'close')) as [number];
  return { code, text };
}

describe('package.json: bin', () => {
  it('clip-host-check is there, and says which program runs it', () => {
    assert.match(readFileSync(program, 'utf8'), /^#!\/usr\/bin\/env node\n/);
  });

  it('clip-host-check ends with 0 for a good host', async (t) => {
    const host = await HttpHost.open(t);
    const { code, text } = await run(host.endpoint, '--cookie', HttpHost.ann);
    assert.equal(code, 0, text);
    assert.match(text, /^held +login-required/m);
  });

  it('clip-host-check ends with 1 for a broken one, and with 2 where no host answers', async (t) => {
    const host = await HttpHost.open(t, {
      wrap: async (request, next) => {
        const { status, body } = await next(request);
        return new Response(body, { status });
      },
    });
    const { code, text } = await run(host.endpoint, '--cookie', HttpHost.ann, '--json');
    assert.equal(code, 1);
    assert.ok((JSON.parse(text) as { summary: { broken: number } }).summary.broken > 0);
    assert.equal((await run()).code, 2);
  });
});
