/** What the browser's locks, storage and keys do to a start, and that it is paid for once. */
import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import { newWorld, part, reaches } from '../support/browser-world.ts';
import { mountedButtons } from '../support/export-buttons.ts';

describe('one paid start of an export button', () => {
  const { add, clear, open, started } = mountedButtons();

  it('for a double click', async () => {
    const { world, element } = await open({ startDelay: 50 });
    part(element, 'button')!.click();
    part(element, 'button')!.click();
    await element.updateComplete;
    part(element, 'button')!.click();
    await reaches(element, 'ready');
    expect(await world.sent('start')).to.have.length(1);
  });

  it('for Enter held down', async () => {
    const { world, element } = await open({ startDelay: 60_000 });
    element.focus();
    expect(element.shadowRoot!.activeElement).to.equal(part(element, 'button'));
    for (let i = 0; i < 5; i++) await sendKeys({ press: 'Enter' });
    await world.set({ startDelay: 0 });
    await reaches(element, 'ready');
    expect(await world.sent('start')).to.have.length(1);
    await element.updateComplete;
    expect(element.shadowRoot!.activeElement).to.equal(part(element, '.download'));
  });

  it('for two elements of the same clip and options, which then show the same', async () => {
    const world = await newWorld({ startDelay: 30 });
    const [one, two] = [await add(world), await add(world)];
    part(one, 'button')!.click();
    part(two, 'button')!.click();
    await Promise.all([reaches(one, 'ready'), reaches(two, 'ready')]);
    expect(await world.sent('start')).to.have.length(1);
    expect(one.export!.id).to.equal(two.export!.id);
  });

  it('but other options are another export', async () => {
    const { world, element: one } = await open();
    const two = await add(world, { 'watermark-src': '/logo.png', 'watermark-x': '1' });
    await Promise.all([one.start(), two.start()]);
    await Promise.all([reaches(one, 'ready'), reaches(two, 'ready')]);
    const bodies = (await world.sent('start')).map(({ body }) => body!['watermark']);
    expect(bodies).to.deep.include({
      src_url: `${location.origin}/logo.png`,
      pos_x: 1,
      pos_y: 0.5,
      scale: 1,
    });
    expect(bodies).to.have.length(2);
  });

  it('over a reload while it renders: found again without a start, and ready after another reload', async () => {
    const { world, element } = await started({ render: 60_000 });
    const { id } = element.export!;
    await clear();
    const again = await add(world);
    await reaches(again, 'processing');
    await world.set({ render: 0 });
    await reaches(again, 'ready');
    expect(again.export!.id).to.equal(id);
    await clear();
    await reaches(await add(world), 'ready');
    expect(await world.sent('start')).to.have.length(1);
  });

  it('with storage that refuses to write', async () => {
    const world = await newWorld({ startDelay: 20 });
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    try {
      const element = await add(world);
      part(element, 'button')!.click();
      part(element, 'button')!.click();
      await reaches(element, 'ready');
      await clear();
      await reaches(await add(world), 'ready');
      expect(await world.sent('start')).to.have.length(1);
    } finally {
      Storage.prototype.setItem = setItem;
    }
  });
});

describe('an export button, when the browser blocks storage and locks', () => {
  const replaced: (() => void)[] = [];
  const replace = (target: object, name: string, descriptor: PropertyDescriptor) => {
    const before = Object.getOwnPropertyDescriptor(target, name);
    Object.defineProperty(target, name, { configurable: true, ...descriptor });
    replaced.push(() => {
      if (before) Object.defineProperty(target, name, before);
      else Reflect.deleteProperty(target, name);
    });
  };
  const refuse = (): never => {
    throw new DOMException('Access is denied for this document.', 'SecurityError');
  };
  afterEach(() => {
    for (const back of replaced.splice(0).reverse()) back();
  });
  const { add } = mountedButtons();

  it('blocked storage and refused locks: it works for the life of the page', async () => {
    replace(navigator, 'locks', {
      value: { request: () => Promise.reject(new DOMException('denied', 'SecurityError')) },
    });
    replace(window, 'localStorage', { get: refuse });
    replace(window, 'indexedDB', { value: { open: refuse } });
    const world = await newWorld();
    const [one, two] = [await add(world), await add(world)];
    await Promise.all([one.start(), two.start()]);
    await Promise.all([reaches(one, 'ready'), reaches(two, 'ready')]);
    expect(await world.sent('start')).to.have.length(1);
  });
});
