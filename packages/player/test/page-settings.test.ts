import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makePageHeaders, type PageSettings } from '../src/page-headers.ts';
import { makeEmbedPage, makePlayerPage } from '../src/pages.ts';

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

const headersOf = (settings: PageSettings, fileOrigin: string | null = null) =>
  makePageHeaders({
    settings,
    fileOrigin,
    publicUrl: 'https://clips.example/clips',
    hasEditor: false,
  });

const policyOf = (...given: Parameters<typeof headersOf>): string =>
  headersOf(...given)['Content-Security-Policy']!;

describe('the settings of the pages', () => {
  it('are nothing by default', () => {
    const page = String(makePlayerPage(view, { language: 'en', settings: {} }));
    assert.doesNotMatch(page, /data-accent|data-control-origins|class="logo"/);
    assert.match(page, /--ratio: 0\.5625/);
    assert.match(page, /A &lt;clip&gt;/);
    const policy = policyOf({});
    // Safari needs the name of the own origin.
    assert.match(policy, /img-src 'self' https:\/\/clips\.example data:;/);
    assert.doesNotMatch(policy, /frame-ancestors/);
  });

  it('`*` lets pages in a sandbox frame them too, which no source of the policy names', () => {
    assert.equal(policyOf({ frameAncestors: '*' }), policyOf({}));
  });

  it('allow the origin of the files, if they are in another place', () => {
    const policy = policyOf({ logoUrl: 'https://logo.example/a.svg' }, 'https://files.example');
    assert.match(policy, /media-src [^;]* https:\/\/files\.example;/);
    assert.match(policy, /img-src [^;]* https:\/\/files\.example https:\/\/logo\.example;/);
  });

  it('let them into pages that ask all for permission, whatever servers they load from', () => {
    const embedderPolicy = (...given: Parameters<typeof headersOf>) => {
      const headers = headersOf(...given);
      assert.equal(headers['Cross-Origin-Resource-Policy'], 'cross-origin');
      return headers['Cross-Origin-Embedder-Policy'];
    };
    assert.equal(embedderPolicy({}), 'require-corp');
    // Nobody knows whether these give their permission.
    assert.equal(embedderPolicy({}, 'https://files.example'), 'credentialless');
    assert.equal(embedderPolicy({ logoUrl: 'https://logo.example/a' }), 'credentialless');
  });

  it('name who may frame and steer the pages', () => {
    const settings = {
      frameAncestors: "'self' https://*.site.example",
      controlOrigins: ['https://a.example'],
    };
    assert.match(policyOf(settings), /frame-ancestors 'self' https:\/\/\*\.site\.example$/);
    for (const page of [
      makePlayerPage(view, { language: 'en', settings }),
      makeEmbedPage({ language: 'en', settings }),
    ]) {
      assert.match(String(page), /data-control-origins="\[&quot;https:\/\/a\.example&quot;\]"/);
    }
  });

  it('keep the browser from asking for an icon that is not there', () => {
    assert.match(
      String(makeEmbedPage({ language: 'en', settings: {} })),
      /rel="icon" href="data:,"/,
    );
  });

  it('give the pages a colour, a logo and an icon of one origin', () => {
    const settings = { accent: '#0a7d4f', logoUrl: 'https://cdn.example/logo.svg' };
    const page = String(makeEmbedPage({ language: 'ja', settings }));
    assert.match(page, /lang="ja"/);
    assert.match(page, /--accent: #0a7d4f;/);
    assert.match(page, /class="logo" src="https:\/\/cdn\.example\/logo\.svg" alt=""/);
    assert.match(page, /<link rel="icon" href="https:\/\/cdn\.example\/logo\.svg" \/>/);
    assert.match(policyOf(settings), /img-src [^;]* https:\/\/cdn\.example;/);
  });
});
