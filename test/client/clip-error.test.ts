import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { transform } from 'esbuild';
import { ClipError, isClipError, type ClipErrorCode } from '../../src/client/clip-error.ts';
import { toClipError } from '../../src/client/errors.ts';
import { publication } from '../../tools/publication.ts';

const error = new ClipError('missing-project', 'No project is set.');
const copy = '../../src/client/clip-error.ts?copy';
const { ClipError: OtherError } = (await import(copy)) as { ClipError: typeof ClipError };
const ofOtherCopy = new OtherError('invalid-config', 'The page cannot be read.');

const root = new URL('../../', import.meta.url);

/** The module as a build with this address of the documentation makes it. */
async function builtWith(
  homepage: string | null,
): Promise<typeof import('../../src/client/clip-error.ts')> {
  const { code } = await transform(
    await readFile(new URL('src/client/clip-error.ts', root), 'utf8'),
    {
      loader: 'ts',
      define: { DOCS_HOMEPAGE: JSON.stringify(homepage) },
    },
  );
  return import(`data:text/javascript,${encodeURIComponent(code)}`);
}

describe('help', () => {
  it('is the address of an existing section of the documentation, for every code', async () => {
    const homepage = 'https://clip-kit.example/docs/';
    const built = await builtWith(homepage);
    const source = await readFile(new URL('src/client/clip-error.ts', root), 'utf8');
    const codes = [...source.matchAll(/^ {2}\| '([\w-]+)'/gm)].map(([, code]) => code);
    assert.ok(codes.length > 50);
    for (const code of codes) {
      const { help } = new built.ClipError(code as ClipErrorCode, 'It failed.');
      const { pathname, hash } = new URL(help!);
      assert.ok(help!.startsWith(homepage), help!);
      const page = await readFile(new URL(`.${pathname}.md`, root), 'utf8');
      assert.ok(page.includes(`\n## ${hash.slice(1)}\n`), help!);
    }
  });

  it('is null while no documentation is published, and in the sources', async () => {
    const built = await builtWith(null);
    assert.equal(new built.ClipError('network', 'It failed.').help, null);
    assert.equal(error.help, null);
  });

  it('of the built kit is below the homepage that the owner has set', async () => {
    const path = `${root}dist/client/clip-error.js`;
    const kit = (await import(path)) as typeof import('../../src/client/clip-error.ts');
    const { help } = new kit.ClipError('network', 'It failed.');
    const { homepage } = publication;
    assert.equal(help, homepage && `${homepage}elements/errors#network`);
  });
});

describe('isClipError', () => {
  it('knows the errors of this copy of the kit, and of another one on the page', () => {
    assert.ok(!(ofOtherCopy instanceof ClipError));
    assert.ok(isClipError(error));
    assert.ok(isClipError(ofOtherCopy));
  });

  it('knows no other error and no other value', () => {
    for (const value of [
      new Error('ClipError'),
      null,
      undefined,
      'ClipError',
      { name: 'ClipError' },
    ]) {
      assert.ok(!isClipError(value));
    }
  });

  it('keeps an error of another copy as it is', () => {
    assert.equal(toClipError(ofOtherCopy), ofOtherCopy);
  });
});
