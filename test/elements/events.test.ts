import { expect } from '@open-wc/testing';
import '../../src/index.ts';
import '../../src/define/clip-list.ts';
import { newWorld, nextEvent } from '../support/browser-world.ts';

describe('the events of an element', () => {
  const about = async (tag: string, event: keyof HTMLElementEventMap, settings: object) => {
    const element = Object.assign(document.createElement(tag), settings);
    const happened = nextEvent(element, event);
    document.body.append(element);
    const { project, folder } = (await happened) as unknown as Record<string, unknown>;
    element.remove();
    return [project, folder];
  };

  it('carry the project and the folder that they are about, null for none', async () => {
    const { endpoint, frames } = await newWorld();
    const preview = { project: 'a', playerUrl: frames, loading: 'eager' };
    expect(await about('clip-preview', 'clip-preview-ready', preview)).to.deep.equal(['a', null]);
    const embed = { project: 'b', appUrl: 'javascript:0', token: 't' };
    expect(await about('clip-embed', 'clip-embed-error', embed)).to.deep.equal(['b', null]);
    const missing = { project: 'c', folder: 'f', endpoint: 'javascript:0' };
    expect(await about('clip-list', 'clip-list-error', missing)).to.deep.equal(['c', 'f']);
    const button = Object.assign(document.createElement('clip-export-button'), {
      project: 'd',
      folder: 'g',
      endpoint,
    });
    button.addEventListener('clip-export-start', (event) => event.preventDefault());
    document.body.append(button);
    const asked = nextEvent(button, 'clip-export-start');
    void button.start();
    const { project, folder } = await asked;
    expect([project, folder]).to.deep.equal(['d', 'g']);
    button.remove();
  });
});
