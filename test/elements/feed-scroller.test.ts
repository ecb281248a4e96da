import { expect } from '@open-wc/testing';
import { FeedScroller } from '../../src/elements/clip-feed/feed-scroller.ts';
import { until } from '../support/browser-world.ts';

const itemHeight = 400;

describe('the scrolling of a feed', () => {
  let box: HTMLElement;
  let said: string[];
  let strayed: number[];
  let scroller: FeedScroller;
  beforeEach(() => {
    box = document.createElement('div');
    box.style.cssText = `block-size: ${itemHeight}px; inline-size: 200px; overflow: auto`;
    box.innerHTML = `<div class="item" style="block-size: ${itemHeight}px">A clip</div>`.repeat(4);
    document.body.prepend(box);
    said = [];
    strayed = [];
    scroller = new FeedScroller({
      changed: () => said.push('changed'),
      arrived: (place) => said.push(`arrived ${place}`),
      settled: (place) => said.push(`settled ${place}`),
      strayed: (place) => strayed.push(place),
    });
    for (const type of ['scroll', 'scrollend']) box.addEventListener(type, scroller);
    window.scrollTo(0, 0);
  });
  afterEach(() => {
    scroller.end();
    box.remove();
  });

  const inView = () => until(() => scroller.isInView, 'it is in view');

  it('says whether half of the box can be seen', async () => {
    expect(scroller.follow(box)).to.equal(true);
    await inView();
    box.style.marginBlockStart = '5000px';
    await until(() => !scroller.isInView, 'it is out of view');
    expect([...new Set(said)]).to.deep.equal(['changed']);
  });

  it('says which item is in a box that gets a size; without one it says nothing', async () => {
    box.style.blockSize = '0';
    for (const item of box.children as HTMLCollectionOf<HTMLElement>) item.style.blockSize = '100%';
    scroller.follow(box);
    await until(() => said.length, 'it is followed');
    expect(scroller.isInView).to.equal(false);
    expect(strayed).to.deep.equal([]);
    box.style.blockSize = `${itemHeight}px`;
    await inView();
    expect(strayed.at(-1)).to.equal(0);
  });

  it('goes to an item that is drawn, and no other', async () => {
    expect(scroller.scrollTo(2, 'instant'), 'without a box').to.equal(false);
    scroller.follow(box);
    expect(scroller.scrollTo(4, 'instant')).to.equal(false);
    expect(scroller.scrollTo(-1, 'instant')).to.equal(false);
    expect(scroller.scrollTo(2, 'instant')).to.equal(true);
    expect(box.scrollTop).to.equal(2 * itemHeight);
    await until(() => said.includes('settled 2'), 'it has settled');
  });

  it('says what comes into the box on the way, and then which item is nearest', async () => {
    scroller.follow(box);
    await inView();
    box.scrollTo({ top: itemHeight, behavior: 'smooth' });
    await until(() => scroller.isScrolling, 'it scrolls');
    await until(() => said.includes('settled 1'), 'it has settled');
    expect(said.indexOf('arrived 1')).to.be.within(0, said.indexOf('settled 1'));
    await until(() => !scroller.isScrolling, 'it rests');
    expect(said.at(-1)).to.equal('changed');
  });

  it('waits for the end where browsers do not say it', async () => {
    const event = Object.getOwnPropertyDescriptor(window, 'onscrollend');
    delete (window as { onscrollend?: unknown }).onscrollend;
    box.removeEventListener('scrollend', scroller);
    try {
      scroller.follow(box);
      box.scrollTo({ top: 3 * itemHeight, behavior: 'smooth' });
      await until(() => said.includes('settled 3'), 'it has settled');
      expect(said.filter((one) => one.startsWith('settled'))).to.have.length(1);
    } finally {
      if (event) Object.defineProperty(window, 'onscrollend', event);
    }
  });

  it('follows items that are drawn later, and another box', async () => {
    scroller.follow(box);
    await inView();
    expect(scroller.follow(box), 'the same').to.equal(false);
    box.lastElementChild!.after(box.lastElementChild!.cloneNode(true));
    scroller.follow(box);
    box.scrollTo({ top: 4 * itemHeight, behavior: 'smooth' });
    await until(() => said.includes('arrived 4'), 'it arrives');
    expect(scroller.placeIn([document, box.lastElementChild!])).to.equal(4);
    expect(scroller.placeIn([document])).to.equal(-1);
    expect(scroller.follow(null)).to.equal(true);
    expect(scroller.isInView).to.equal(false);
    expect(scroller.placeIn([box.lastElementChild!])).to.equal(-1);
  });

  it('says nothing more once it has ended', async () => {
    scroller.follow(box);
    await inView();
    said.length = 0;
    scroller.end();
    box.style.marginBlockStart = '5000px';
    box.lastElementChild!.after(box.lastElementChild!.cloneNode(true));
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    expect(said).to.deep.equal([]);
  });
});
