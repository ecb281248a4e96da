import { expect } from '@open-wc/testing';
import { until } from '../support/browser-world.ts';

it('the file without an element of the page names the file that has it', async () => {
  const { warn } = console;
  const said: string[] = [];
  console.warn = (text: string) => said.push(text);
  const create = document.createElement('clip-create');
  document.body.append(create, document.createElement('clip-preview'));
  try {
    await import('../../src/cdn/clip-kit.ts');
    await until(() => said.length);
    expect(said.filter((text) => text.startsWith('clip-kit:'))).to.deep.equal([
      'clip-kit: <clip-create> is in clip-studio.js, not in clip-kit.js.',
    ]);
  } finally {
    console.warn = warn;
    create.remove();
  }
});
