import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import '../../src/index.ts';
import {
  type BrowserWorld,
  newElement,
  newWorld,
  reaches,
  until,
} from '../support/browser-world.ts';
import { bringTo, elementStates, type ElementState } from '../support/element-states.ts';
import { mainOfSuite } from '../support/suite-main.ts';

/** The element with the focus, in any shadow root. */
function focused(): Element {
  let at = document.activeElement!;
  while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at;
}

/** The focus as an element and its button, else its part; or as an id. */
function place(): string {
  const at = focused();
  const host = (at.getRootNode() as ShadowRoot).host as HTMLElement | undefined;
  const [button] = /(retry|open|download)$/.exec(at.className) ?? [at.getAttribute('part')];
  return host ? `${host.localName} ${button}` : at.id || at.localName;
}

/** The focus moves on after the change that removed it. */
async function arrives(where: string): Promise<void> {
  await until(() => place() === where).catch(() => {});
  expect(place()).to.equal(where);
}

const stateOf = (tag: string, name: string): ElementState =>
  elementStates.find((state) => state.tag === tag && state.name === name)!;

describe('focus', () => {
  const main = mainOfSuite();

  const link = (id: string) => {
    const one = Object.assign(document.createElement('a'), { id, href: '#x', textContent: id });
    main.append(one);
    return one;
  };

  const add = async <T extends 'clip-preview' | 'clip-embed' | 'clip-export-button'>(
    tag: T,
    world: BrowserWorld,
    attributes: Record<string, string> = {},
  ): Promise<HTMLElementTagNameMap[T]> => {
    const element = newElement(tag, {
      project: 'a',
      endpoint: world.endpoint,
      'app-url': world.frames,
      'player-url': world.frames,
      ...attributes,
    });
    main.append(element);
    await element.updateComplete;
    return element;
  };

  it('goes through a page in the order in which it reads, and back, and is never held', async () => {
    link('before');
    await bringTo(stateOf('clip-preview', 'a poster to click'), main);
    await bringTo(stateOf('clip-preview', 'timed out'), main);
    await bringTo(stateOf('clip-embed', 'timed out'), main);
    await bringTo(stateOf('clip-export-button', 'not pressed'), main);
    await bringTo(stateOf('clip-export-button', 'ready'), main);
    await bringTo(stateOf('clip-export-button', 'rendering, with an estimate'), main);
    await bringTo(stateOf('clip-export-button', 'its start unknown'), main);
    link('after').tabIndex = 0;
    const order = [
      'before',
      'clip-preview play',
      'clip-preview retry',
      'clip-preview open',
      'clip-embed retry',
      'clip-embed open',
      'clip-export-button button',
      'clip-export-button download',
      'clip-export-button button',
      'clip-export-button retry',
      'after',
    ];
    document.getElementById('before')!.focus();
    const there = [place()];
    while (there.length < order.length) {
      await sendKeys({ press: 'Tab' });
      there.push(place());
    }
    expect(there).to.deep.equal(order);
    const back = [place()];
    while (back.length < order.length) {
      await sendKeys({ down: 'Shift' });
      await sendKeys({ press: 'Tab' });
      await sendKeys({ up: 'Shift' });
      back.push(place());
    }
    expect(back).to.deep.equal(order.toReversed());
  });

  // The space key is sent as the character, because not every driver knows its name.
  for (const [name, key] of Object.entries({ Enter: 'Enter', Space: ' ' })) {
    it(`${name} on the play button loads the preview, and the focus goes over to the frame`, async () => {
      const element = await add('clip-preview', await newWorld(), { loading: 'click' });
      element.focus();
      expect(place()).to.equal('clip-preview play');
      await sendKeys({ press: key });
      await reaches(element, 'ready');
      await arrives('clip-preview frame');
    });
  }

  for (const tag of ['clip-preview', 'clip-embed'] as const) {
    it(`<${tag}>: focus() goes to the frame`, async () => {
      const element = await add(tag, await newWorld(), { loading: 'eager' });
      await reaches(element, 'ready');
      element.focus();
      expect(place()).to.equal(`${tag} frame`);
    });

    it(`<${tag}>: trying again hands the focus on to the frame`, async () => {
      const { element, world } = await bringTo(stateOf(tag, 'timed out'), main);
      element.setAttribute(tag === 'clip-embed' ? 'app-url' : 'player-url', `${world.frames}/hang`);
      element.setAttribute('timeout', '60000');
      element.focus();
      expect(place()).to.equal(`${tag} retry`);
      await sendKeys({ press: 'Enter' });
      await reaches(element, 'loading');
      await arrives(`${tag} frame`);
    });

    it(`<${tag}>: a frame that had the focus and is taken away hands it on to the retry`, async () => {
      const world = await newWorld();
      const { setTimeout } = globalThis;
      const timeout = 61_234;
      let end: (() => void) | undefined;
      globalThis.setTimeout = ((work: () => void, ms?: number) => {
        if (ms === timeout) end = work;
        return setTimeout(work, ms);
      }) as typeof setTimeout;
      const element = await add(tag, world, {
        loading: 'eager',
        'app-url': `${world.frames}/hang`,
        'player-url': `${world.frames}/hang`,
        timeout: `${timeout}`,
      });
      await until(() => end).finally(() => (globalThis.setTimeout = setTimeout));
      expect(element.status).to.equal('loading');
      await element.updateComplete;
      element.focus();
      expect(place()).to.equal(`${tag} frame`);
      end!();
      expect(element.status).to.equal('error');
      await arrives(`${tag} retry`);
    });
  }

  it('<clip-embed>: a notice that goes hands the focus back to the frame', async () => {
    const { element } = await bringTo(
      stateOf('clip-embed', 'its token ended, and no other to be had'),
      main,
    );
    const embed = element as HTMLElementTagNameMap['clip-embed'];
    embed.shadowRoot!.querySelector<HTMLElement>('.retry')!.focus();
    embed.dataset['back'] = '';
    await sendKeys({ press: 'Enter' });
    await until(() => !embed.matches(':state(stale)'));
    await arrives('clip-embed frame');
  });

  it('<clip-export-button>: stays on the button while it works, then goes to the link', async () => {
    const world = await newWorld({ render: 60_000 });
    const element = await add('clip-export-button', world);
    element.focus();
    expect(place()).to.equal('clip-export-button button');
    await sendKeys({ press: 'Enter' });
    await reaches(element, 'processing');
    expect(place()).to.equal('clip-export-button button');
    await world.set({ render: 0 });
    await reaches(element, 'ready');
    expect(place()).to.equal('clip-export-button download');
  });

  it('<clip-export-button>: goes to the retry after a failure, and to the button when it is pressed', async () => {
    const world = await newWorld({ render: 0, estimate: 0, outcome: 'error' });
    const element = await add('clip-export-button', world);
    element.focus();
    await sendKeys({ press: ' ' });
    await reaches(element, 'error');
    expect(place()).to.equal('clip-export-button retry');
    await world.set({ render: 60_000, outcome: 'ready' });
    await sendKeys({ press: 'Enter' });
    await reaches(element, 'processing');
    expect(place()).to.equal('clip-export-button button');
  });

  it('is not taken from where it is by what an element does', async () => {
    const elsewhere = link('elsewhere');
    const world = await newWorld({ render: 0, estimate: 0 });
    const button = await add('clip-export-button', world);
    const preview = await add('clip-preview', world, { loading: 'click' });
    elsewhere.focus();
    void button.start();
    preview.activate();
    await reaches(button, 'ready');
    await reaches(preview, 'ready');
    expect(place()).to.equal('elsewhere');
  });

  it('is not taken back by an element that lost it while the user went on', async () => {
    const world = await newWorld();
    await world.set({ failTokens: 1 });
    const element = await add('clip-embed', world, { loading: 'eager' });
    await reaches(element, 'error');
    await world.set({ tokenDelay: 60_000 });
    await element.updateComplete;
    element.focus();
    await sendKeys({ press: 'Enter' });
    await reaches(element, 'authorizing');
    const elsewhere = link('elsewhere');
    elsewhere.focus();
    await world.set({ tokenDelay: 0 });
    await reaches(element, 'ready');
    expect(place()).to.equal('elsewhere');
  });
});
