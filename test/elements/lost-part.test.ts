import { expect } from '@open-wc/testing';
import type { ClipEmbed } from '../../src/elements/clip-embed/clip-embed.ts';
import type { ClipExportButton } from '../../src/elements/clip-export-button/clip-export-button.ts';
import type { ClipPreview } from '../../src/elements/clip-preview/clip-preview.ts';
import { newWorld, nextEvent, reaches, startUntil } from '../support/browser-world.ts';

interface Sources {
  ClipEmbed: typeof ClipEmbed;
  ClipExportButton: typeof ClipExportButton;
  ClipPreview: typeof ClipPreview;
}

/**
 * Some engines (Firefox) remember a failed module for the life of a page; there only a reload
 * helps, as the error says.
 */
const remembersLosses = navigator.userAgent.includes('Firefox');

describe('a part of the kit that cannot be fetched', () => {
  let copies = 0;
  /** A copy of the classes under other names, with a `file` that fails once. */
  const without = async (file: string) => {
    const name = `lost-${++copies}`;
    const base = `/lost/${name}-${Date.now()}/${file}/1`;
    const { ClipEmbed, ClipExportButton, ClipPreview } = (await import(
      `${base}/src/elements/without-list.ts`
    )) as Sources;
    customElements.define(`${name}-preview`, class extends ClipPreview {});
    customElements.define(`${name}-embed`, class extends ClipEmbed {});
    customElements.define(`${name}-button`, class extends ClipExportButton {});
    return name;
  };
  const add = <T extends HTMLElement>(tag: string, settings: Partial<T>): T => {
    const element = Object.assign(document.createElement(tag) as T, settings);
    document.body.append(element);
    return element;
  };

  it('is load-failed at the export button; nothing is sent, and the retry fetches it again', async () => {
    const world = await newWorld();
    const name = await without('export-work.ts');
    const button = add<ClipExportButton>(`${name}-button`, {
      project: 'a',
      endpoint: world.endpoint,
    });
    await reaches(button, 'error');
    expect(button.error!.code).to.equal('load-failed');
    expect(await world.sent()).to.have.length(0);
    await button.retry();
    if (remembersLosses) {
      expect(button.error!.code).to.equal('load-failed');
      expect(button.error!.message).to.contain('Reload the page');
    } else {
      await startUntil(button, 'ready');
      expect(await world.sent('start')).to.have.length(1);
    }
    button.remove();
  });

  it('is load-failed at the embed, with a retry', async () => {
    const world = await newWorld();
    const name = await without('page-token.ts');
    const embed = add<ClipEmbed>(`${name}-embed`, {
      project: 'a',
      endpoint: world.endpoint,
      appUrl: world.frames,
      loading: 'eager',
    });
    const { error } = await nextEvent(embed, 'clip-embed-error');
    expect(error.code).to.equal('load-failed');
    await embed.updateComplete;
    const retry = embed.shadowRoot!.querySelector<HTMLElement>('.retry')!;
    const next = remembersLosses ? 'clip-embed-error' : 'clip-embed-ready';
    const settled = nextEvent(embed, next);
    retry.click();
    await settled;
    embed.remove();
  });

  it('is load-failed at the preview, with a retry', async () => {
    const { frames } = await newWorld();
    const name = await without('frame-load.ts');
    const preview = add<ClipPreview>(`${name}-preview`, {
      project: 'a',
      playerUrl: frames,
      loading: 'eager',
    });
    await reaches(preview, 'error');
    expect(preview.error!.code).to.equal('load-failed');
    await preview.updateComplete;
    preview.shadowRoot!.querySelector<HTMLElement>('.retry')!.click();
    if (remembersLosses) await nextEvent(preview, 'clip-preview-error');
    else await reaches(preview, 'ready');
    preview.remove();
  });
});
