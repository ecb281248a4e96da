import { expect } from '@open-wc/testing';
import '../../src/define/clip-embed.ts';
import '../../src/define/clip-preview.ts';
import type { ClipEmbed } from '../../src/elements/clip-embed/clip-embed.ts';
import type { ClipPreview } from '../../src/elements/clip-preview/clip-preview.ts';
import { mount, newWorld, reaches, until } from '../support/browser-world.ts';

/** The clip in the frames has eight seconds. */
describe('what is watched of a clip', () => {
  const events: { readonly project: string | null; readonly text: string; at: number }[] = [];
  const noteView = ({ project, muted, target }: HTMLElementEventMap['clip-view']) =>
    events.push({
      project,
      text: muted ? 'view, muted' : 'view',
      at: (target as ClipPreview).currentTime,
    });
  const noteMark = ({ project, percent, target }: HTMLElementEventMap['clip-progress-mark']) =>
    events.push({ project, text: `${percent} %`, at: (target as ClipPreview).currentTime });
  const texts = () => events.map(({ text }) => text);
  let frames: string;

  beforeEach(async () => {
    frames = `${(await newWorld()).frames}/media`;
    events.length = 0;
    document.body.addEventListener('clip-view', noteView);
    document.body.addEventListener('clip-progress-mark', noteMark);
  });
  afterEach(() => {
    document.body.removeEventListener('clip-view', noteView);
    document.body.removeEventListener('clip-progress-mark', noteMark);
  });

  const preview = () =>
    mount('clip-preview', { project: 'a', 'player-url': frames, loading: 'click' });

  /** Plays on from a time until something has happened. */
  async function playFrom(element: ClipEmbed | ClipPreview, seconds: number, last: string) {
    element.currentTime = seconds;
    await element.play();
    await until(() => texts().at(-1) === last, last);
  }

  it('is a view, and marks at parts of the clip, which reach the page', async () => {
    const element = await preview();
    await playFrom(element, 0, '25 %');
    expect(texts()).to.deep.equal(['view', '25 %']);
    for (const { project, at } of events) {
      expect(project).to.equal('a');
      expect(at).to.be.at.least(2).and.below(4);
    }
    await playFrom(element, 7.2, '95 %');
    expect(texts()).to.deep.equal(['view', '25 %', '95 %']);
    await playFrom(element, 3.8, '50 %');
    await playFrom(element, 5.8, '75 %');
    expect(texts()).to.deep.equal(['view', '25 %', '95 %', '50 %', '75 %']);
  });

  it('is the same in an embed, and a view says whether it was muted', async () => {
    const element = await mount('clip-embed', {
      ...{ project: 'b', 'app-url': frames, token: 't', loading: 'eager', muted: '' },
    });
    await reaches(element, 'ready');
    await playFrom(element, 4.5, 'view, muted');
    expect(texts()).to.deep.equal(['75 %', 'view, muted']);
    expect(events[0]!.project).to.equal('b');
  });

  it('is counted once a showing: another clip in the element is another one', async () => {
    const element = await preview();
    await playFrom(element, 4.2, 'view');
    await playFrom(element, 4.2, 'view');
    await until(() => element.currentTime > 6.5);
    element.project = 'other';
    await element.updateComplete;
    events.push({ project: 'other', text: 'begins', at: 0 });
    await playFrom(element, 4.2, 'view');
    expect(events.map(({ project, text }) => `${project} ${text}`)).to.deep.equal([
      ...['a 75 %', 'a view', 'other begins', 'other 75 %', 'other view'],
    ]);
  });
});
