import { expect } from '@open-wc/testing';
import { newWorld } from '../support/browser-world.ts';

describe('a page with a strict policy', () => {
  it('has nothing against the elements: no eval, no inline style or handler, Trusted Types', async () => {
    const world = await newWorld();
    const frame = document.createElement('iframe');
    const told = new Promise<{ csp: string[]; styled: string }>((resolve) => {
      addEventListener('message', function listen({ data, source }) {
        if (source !== frame.contentWindow || !(data as { csp?: unknown }).csp) return;
        removeEventListener('message', listen);
        resolve(data as { csp: string[]; styled: string });
      });
    });
    frame.src = `/strict-policy?endpoint=${world.endpoint}`;
    document.body.append(frame);
    const { csp, styled } = await told;
    expect(csp).to.deep.equal([]);
    expect(styled).to.equal('rgb(79, 70, 229)');
    frame.remove();
  });
});
