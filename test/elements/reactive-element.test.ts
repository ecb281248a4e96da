import { expect } from '@open-wc/testing';
import { html, type TemplateResult } from 'lit/html.js';
import { css } from '../../src/elements/css.ts';
import { numberFrom, ReactiveElement } from '../../src/elements/reactive-element.ts';

let drawn = 0;

class Counter extends ReactiveElement {
  static override properties = {
    count: { from: numberFrom },
    label: {},
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
  declare state: object | null;

  constructor() {
    super();
    this.label = 'none';
  }

  protected override willUpdate(): void {
    if (this.label === 'upper') this.label = 'UPPER';
  }

  protected override render(): TemplateResult {
    drawn++;
    return html`<b>${this.label} ${this.count}</b>`;
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
    expect(Counter.observedAttributes).to.deep.equal(['count', 'label']);
    element.setAttribute('count', '7');
    expect(element.count).to.equal(7);
    element.removeAttribute('count');
    expect(element.count).to.equal(null);
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
