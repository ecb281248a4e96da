import { expect } from '@open-wc/testing';
import { css } from '../../src/elements/css.ts';
import { numberFrom, ReactiveElement } from '../../src/elements/reactive-element.ts';

let drawn = 0;

class Counter extends ReactiveElement {
  static override properties = {
    count: { from: numberFrom },
    label: { from: (text: string | null) => text ?? 'none' },
    open: { from: (text: string | null) => text !== null },
    policy: { attribute: 'contentpolicy' },
    secret: { reflect: false as const },
    state: { attribute: false as const },
  };
  static override styles = [
    css`
      b {
        color: rgb(1, 2, 3);
      }
    `,
  ];
  declare count: number | null;
  declare label: string;
  declare open: boolean;
  declare policy: string | null;
  declare secret: unknown;
  declare state: object | null;

  protected override willUpdate(): void {
    if (this.label === 'upper') this.label = 'UPPER';
  }

  protected override draw(root: ShadowRoot): void {
    drawn++;
    if (this.label === 'broken') throw new Error('broken');
    const text = document.createElement('b');
    text.textContent = `${this.label} ${this.count ?? ''}`;
    root.replaceChildren(text);
  }
}

const textOf = (element: Element) => element.shadowRoot!.textContent;

describe('ReactiveElement', () => {
  beforeEach(() => {
    drawn = 0;
  });

  it('takes over what was set on the element before it was defined; a property wins over its attribute', async () => {
    const element = document.createElement('test-counter') as Counter;
    element.setAttribute('count', '1');
    element.setAttribute('label', 'by attribute');
    element.count = 5;
    document.body.append(element);
    customElements.define('test-counter', Counter);
    await element.updateComplete;
    expect(textOf(element)).to.equal('by attribute 5');
    expect(Object.hasOwn(element, 'count')).to.equal(false);
    element.count = 6;
    await element.updateComplete;
    expect(textOf(element)).to.equal('by attribute 6');
    element.remove();
  });

  it('draws once for all changes of a task, and not at all for none', async () => {
    const element = new Counter();
    element.count = 1;
    expect(drawn).to.equal(0);
    document.body.append(element);
    element.count = 2;
    element.label = 'a';
    await element.updateComplete;
    expect(drawn).to.equal(1);
    element.count = 2;
    element.setAttribute('label', 'a');
    await element.updateComplete;
    expect(drawn).to.equal(1);
    element.label = 'upper';
    await element.updateComplete;
    expect([drawn, textOf(element)]).to.deep.equal([2, 'UPPER 2']);
    element.remove();
  });

  it('reads attributes by their rule, and null when one is removed', () => {
    const element = new Counter();
    expect(Counter.observedAttributes).to.deep.equal([
      'count',
      'label',
      'open',
      'contentpolicy',
      'secret',
    ]);
    element.setAttribute('count', '7');
    expect(element.count).to.equal(7);
    element.removeAttribute('count');
    expect(element.count).to.equal(null);
  });

  it('writes a property to its attribute, as HTML does', () => {
    const element = new Counter();
    element.count = 3;
    element.label = 'a';
    element.open = true;
    element.policy = 'p';
    expect(element.outerHTML).to.equal(
      '<test-counter count="3" label="a" open="" contentpolicy="p"></test-counter>',
    );
    element.open = false;
    element.policy = null;
    Object.assign(element, { label: undefined, count: 4 });
    expect(element.outerHTML).to.equal('<test-counter count="4"></test-counter>');
    expect([element.count, element.label, element.open]).to.deep.equal([4, 'none', false]);
    expect(element.matches('[count="4"]')).to.equal(true);
  });

  it('keeps out of the attributes what is not for them', async () => {
    const element = new Counter();
    document.body.append(element);
    await element.updateComplete;
    const before = drawn;
    element.secret = 'key';
    element.state = {};
    expect(element.attributes).to.have.length(0);
    await element.updateComplete;
    expect(drawn).to.equal(before + 1);
    element.setAttribute('secret', 'other');
    expect(element.secret).to.equal('other');
    element.remove();
  });

  it('has no attribute of its own, before and after it is mounted', async () => {
    const element = document.createElement('test-counter');
    document.body.append(element);
    await (element as Counter).updateComplete;
    expect(element.outerHTML).to.equal('<test-counter></test-counter>');
    element.remove();
  });

  it('one that cannot be drawn keeps no other from being drawn', async () => {
    const elements = [new Counter(), new Counter()];
    elements[0]!.label = 'broken';
    const told = new Promise<PromiseRejectionEvent>((resolve) => {
      const listen = (event: PromiseRejectionEvent) => {
        event.preventDefault();
        event.stopImmediatePropagation();
        resolve(event);
      };
      addEventListener('unhandledrejection', listen, { once: true, capture: true });
    });
    document.body.append(...elements);
    await elements[1]!.updateComplete;
    expect(textOf(elements[1]!)).to.equal('none ');
    expect((await told).reason.message).to.equal('broken');
    elements[0]!.label = 'mended';
    await elements[0]!.updateComplete;
    expect(textOf(elements[0]!)).to.equal('mended ');
    for (const element of elements) element.remove();
  });

  it('shares one style sheet among all of a class', () => {
    const elements = [new Counter(), new Counter()];
    document.body.append(...elements);
    const sheets = elements.map((element) => element.shadowRoot!.adoptedStyleSheets[0]);
    expect(sheets[0]).to.equal(sheets[1]);
    expect(sheets[0]!.cssRules).to.have.length(1);
    for (const element of elements) element.remove();
  });
});
