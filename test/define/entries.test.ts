import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { ClipErrorCode } from '../../src/client/clip-error.ts';

const root = new URL('../../', import.meta.url);

/** Every code. The compiler rejects this list if one is missing. */
const codes: Record<ClipErrorCode, true> = {
  'account-changed': true,
  'attempt-mismatch': true,
  'clip-not-found': true,
  'edit-failed': true,
  'export-failed': true,
  'endpoint-not-found': true,
  'export-limit': true,
  'export-outcome-unresolved': true,
  'invalid-option': true,
  'export-not-found': true,
  'export-outcome-unknown': true,
  'file-changed': true,
  'file-empty': true,
  'file-not-video': true,
  'file-too-large': true,
  'file-too-long': true,
  'file-unreadable': true,
  forbidden: true,
  'frame-blank': true,
  'frame-blocked': true,
  'frame-timeout': true,
  'invalid-answer': true,
  'invalid-config': true,
  'invalid-project': true,
  'invalid-request': true,
  'invalid-url': true,
  'invalid-watermark': true,
  'link-invalid': true,
  'load-failed': true,
  'missing-app-url': true,
  'missing-endpoint': true,
  'missing-folder': true,
  'missing-player-url': true,
  'missing-project': true,
  network: true,
  'player-detached': true,
  'player-interrupted': true,
  'player-refused': true,
  'player-silent': true,
  'rate-limited': true,
  'service-error': true,
  'session-failed': true,
  'session-refused': true,
  'signed-out': true,
  'storage-full': true,
  'task-failed': true,
  'task-limit': true,
  'task-not-deleted': true,
  'task-outcome-unknown': true,
  'task-outcome-unresolved': true,
  'task-refused': true,
  timeout: true,
  'token-failed': true,
  unauthenticated: true,
  'upload-gone': true,
  'upload-refused': true,
};

interface Manifest {
  modules: {
    declarations?: {
      name: string;
      tagName?: string;
      attributes?: { name: string; description?: string }[];
      members?: { name: string; kind: string; description?: string }[];
      events?: { name: string }[];
      slots?: { name: string }[];
      cssParts?: { name: string }[];
      cssProperties?: { name: string }[];
      cssStates?: { name: string }[];
    }[];
  }[];
}

const manifest = JSON.parse(
  readFileSync(new URL('custom-elements.json', root), 'utf8'),
) as Manifest;
const elements = manifest.modules
  .flatMap(({ declarations = [] }) => declarations)
  .filter(({ tagName }) => tagName);

describe('the entries of the elements', () => {
  const entries = [
    'dist/index.js',
    'dist/elements/index.js',
    ...readdirSync(new URL('src/define/', root)).map(
      (file) => `dist/define/${file.replace(/\.ts$/, '.js')}`,
    ),
  ];
  for (const entry of entries) {
    it(`${entry} is imported in plain Node without a DOM`, async () => {
      const module = (await import(new URL(entry, root).href)) as object;
      assert.ok(Object.keys(module).some((name) => name.startsWith('Clip')));
    });
  }

  it('dist/upgrade/index.js is imported in plain Node without a DOM', async () => {
    assert.deepEqual(Object.keys(await import(new URL('dist/upgrade/index.js', root).href)), []);
  });

  it('the elements’ entry has every class', async () => {
    const module = (await import(new URL('dist/elements/index.js', root).href)) as object;
    for (const { name } of elements) assert.ok(name in module, name);
  });
});

describe('the manifest', () => {
  it('names exactly the attributes that the classes observe', async () => {
    const module = (await import(new URL('dist/elements/index.js', root).href)) as Record<
      string,
      { observedAttributes: string[] }
    >;
    assert.equal(elements.length, 9);
    for (const { name, attributes = [] } of elements) {
      assert.deepEqual(
        attributes.map((attribute) => attribute.name).sort(),
        [...module[name]!.observedAttributes].sort(),
        name,
      );
    }
  });

  it('describes every attribute and method', () => {
    for (const { name, attributes = [], members = [] } of elements) {
      for (const one of [...attributes, ...members.filter(({ kind }) => kind === 'method')]) {
        assert.ok(one.description, `${name} ${one.name}`);
      }
    }
  });
});

describe('the documentation', () => {
  it('has a section for every error code, and none for another', () => {
    const page = readFileSync(new URL('docs/elements/errors.md', root), 'utf8');
    const sections = [...page.matchAll(/^## (\S+)$/gm)].map(([, code]) => code);
    assert.deepEqual(sections, Object.keys(codes).sort());
  });

  for (const element of elements) {
    it(`has a page for <${element.tagName}> that names all of it`, () => {
      const page = readFileSync(new URL(`docs/elements/${element.tagName}.md`, root), 'utf8');
      const { attributes = [], events = [], slots = [], cssParts = [] } = element;
      const { cssProperties = [], cssStates = [], members = [] } = element;
      for (const { name } of [
        ...attributes,
        ...events,
        ...slots.filter((slot) => slot.name),
        ...cssParts,
        ...cssProperties,
        ...cssStates,
        ...members,
      ]) {
        assert.ok(page.includes(`\`${name}`), name);
      }
    });
  }
});
