import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pageHeaders } from '../../src/pages/page-headers.ts';
import { embedPage, playerPage } from '../../src/pages/pages.ts';

const view = {
  state: 'ready',
  name: 'A <clip>',
  width: 108,
  height: 192,
  video: 'files/previews/a.mp4',
  poster: null,
  titleBurnedIn: false,
  message: null,
} as const;

const policyOf = (
  settings: Parameters<typeof pageHeaders>[0],
  fileOrigin: string | null = null,
): string => pageHeaders(settings, fileOrigin)['Content-Security-Policy']!;

describe('the settings of the pages', () => {
  it('are nothing by default', () => {
    const page = String(playerPage(view, { language: 'en', settings: {} }));
    assert.doesNotMatch(page, /data-accent|data-control-origins|class="logo"/);
    assert.match(page, /--ratio: 0\.5625/);
    assert.match(page, /A &lt;clip&gt;/);
    const policy = policyOf({});
    assert.match(policy, /img-src 'self' data:;/);
    assert.match(policy, /frame-ancestors \*$/);
  });

  it('allow the origin of the files, if they are in another place', () => {
    const policy = policyOf({ logoUrl: 'https://logo.example/a.svg' }, 'https://files.example');
    assert.match(policy, /media-src 'self' https:\/\/files\.example;/);
    assert.match(policy, /img-src 'self' data: https:\/\/files\.example https:\/\/logo\.example;/);
  });

  it('name who may frame and steer the pages', () => {
    const settings = {
      frameAncestors: "'self' https://*.site.example",
      controlOrigins: ['https://a.example'],
    };
    assert.match(policyOf(settings), /frame-ancestors 'self' https:\/\/\*\.site\.example$/);
    for (const page of [
      playerPage(view, { language: 'en', settings }),
      embedPage({ language: 'en', settings }),
    ]) {
      assert.match(String(page), /data-control-origins="\[&quot;https:\/\/a\.example&quot;\]"/);
    }
  });

  it('give the pages a colour and a logo of one origin', () => {
    const settings = { accent: '#0a7d4f', logoUrl: 'https://cdn.example/logo.svg' };
    const page = String(embedPage({ language: 'ja', settings }));
    assert.match(page, /lang="ja"/);
    assert.match(page, /--accent: #0a7d4f;/);
    assert.match(page, /class="logo" src="https:\/\/cdn\.example\/logo\.svg" alt=""/);
    assert.match(policyOf(settings), /img-src 'self' data: https:\/\/cdn\.example;/);
  });
});
