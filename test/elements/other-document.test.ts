import { expect, fixture, html } from '@open-wc/testing';
import '../../src/cdn/clip-studio.ts';
import { mount } from '../support/browser-world.ts';

const tags = [
  ...(['clip-preview', 'clip-embed', 'clip-export-button', 'clip-list'] as const),
  ...(['clip-feed', 'clip-create', 'clip-videos', 'clip-export-many'] as const),
];

describe('an element in another document', () => {
  for (const tag of tags) {
    it(`is styled there, and when it is back (${tag})`, async () => {
      const frame = await fixture<HTMLIFrameElement>(html`<iframe title="Other"></iframe>`);
      const element = await mount(tag, { project: 'a', width: 3, height: 2 });
      await element.updateComplete;
      const styles = () =>
        element.shadowRoot!.adoptedStyleSheets.map(({ cssRules }) => cssRules.length);
      const before = styles();
      expect(before).not.to.deep.equal([]);
      const home = element.parentElement!;
      frame.contentDocument!.body.append(element);
      await element.updateComplete;
      expect(styles()).to.deep.equal(before);
      element.removeAttribute('width');
      await element.updateComplete;
      home.append(element);
      element.setAttribute('width', '3');
      await element.updateComplete;
      expect(styles()).to.deep.equal(before);
    });
  }
});
