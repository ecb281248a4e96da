import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import manifest from 'clip-kit/custom-elements.json' with { type: 'json' };
import { writeTrial, readTrial } from '../pages/elements/playground/address.ts';
import { addLogLine } from '../pages/elements/playground/event-log.ts';
import {
  chooseControl,
  listElements,
  formatFlag,
  type Manifest,
} from '../pages/elements/playground/manifest.ts';
import { frameworks, writeSnippet } from '../pages/elements/playground/snippets.ts';

const elements = listElements(manifest as Manifest);
const tags = elements.map(({ tagName }) => tagName);
const listAttributeNames = (tag: string) =>
  elements.find(({ tagName }) => tagName === tag)!.attributes.map(({ name }) => name);
const parseTrial = (query: string) =>
  readTrial(new URLSearchParams(query), tags, listAttributeNames);

describe('the address of the playground', () => {
  test('holds the element and its changes, and gives them back', () => {
    const query = 'element=clip-preview&loading=eager&label=%22A%22+%26+b&poster=-';
    const read = parseTrial(query);
    assert.equal(read.tag, 'clip-preview');
    assert.deepEqual(Object.fromEntries(read.changes), {
      loading: 'eager',
      label: '"A" & b',
      poster: null,
    });
    assert.equal(`${writeTrial(read)}`, query);
  });

  test('cannot choose where calls and tokens go, nor what is no attribute', () => {
    const hostile =
      'element=clip-embed&endpoint=https://evil.example&app-url=https://evil.example&csrf-url=x&token=t&onclick=alert(1)&label=ok';
    assert.deepEqual(Object.fromEntries(parseTrial(hostile).changes), { label: 'ok' });
    const changes = new Map([['endpoint', 'https://evil.example']]);
    assert.equal(`${writeTrial({ tag: 'clip-list', changes })}`, 'element=clip-list');
  });

  test('an unknown element is the first one', () => {
    assert.equal(parseTrial('element=script').tag, tags[0]);
  });
});

describe('the controls of the playground', () => {
  test('fit the types of the manifest', () => {
    const kinds = (tag: string) =>
      Object.fromEntries(
        elements
          .find(({ tagName }) => tagName === tag)!
          .attributes.map((one) => [one.name, chooseControl(one).kind]),
      );
    const preview = kinds('clip-preview');
    assert.deepEqual(
      [preview['loading'], preview['muted'], preview['timeout'], preview['poster']],
      ['words', 'flag', 'number', 'text'],
    );
    assert.equal(kinds('clip-list')['page-size'], 'number');
  });

  test('a flag that is on by default is turned off by its text', () => {
    assert.deepEqual(
      [formatFlag(true, true), formatFlag(false, true), formatFlag(true, false)],
      [null, 'false', ''],
    );
  });
});

describe('the code of the playground', () => {
  const markup = {
    tag: 'clip-preview',
    attributes: { project: 'p', muted: true, label: 'Say "hi" {now}', poster: null },
  } as const;
  for (const framework of frameworks) {
    test(framework, () => {
      const code = writeSnippet(framework, markup, 'clip-preview-ready');
      assert.match(code, /import 'clip-kit\/define\/clip-preview\.js';/);
      assert.match(code, /clip-preview-ready/);
      assert.match(code, /project="p"/);
      const label = {
        HTML: 'label="Say &quot;hi&quot; {now}"',
        Vue: 'label="Say &quot;hi&quot; {now}"',
        React: 'label={"Say \\"hi\\" {now}"}',
        Svelte: 'label={"Say \\"hi\\" {now}"}',
        Angular: 'label="Say &quot;hi&quot; &#123;now}"',
      }[framework];
      assert.ok(code.includes(label), code);
    });
  }

  test('the list and the feed have entries of their own', () => {
    for (const tag of ['clip-list', 'clip-feed']) {
      assert.match(writeSnippet('HTML', { tag }), new RegExp(`import 'clip-kit/${tag}';`));
    }
  });
});

describe('the log of the playground', () => {
  test('has the newest first, and one line for the same event in a row', () => {
    let lines = addLogLine([], 'play', '');
    for (let count = 0; count < 3; count++) lines = addLogLine(lines, 'timeupdate', '');
    assert.deepEqual(
      lines.map(({ name, count }) => `${name} ${count}`),
      ['timeupdate 3', 'play 1'],
    );
  });
});
