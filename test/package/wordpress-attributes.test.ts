import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';

interface Declaration {
  readonly tagName?: string;
  readonly attributes?: readonly { readonly name: string }[];
}

/** What a site decides, and what a framework writes: not for the content of a post. */
const ofSite = ['token', 'allow', 'sandbox', 'referrerpolicy', 'presets-url', 'hydrating'];

it('the WordPress plugin knows every attribute that is about one clip or video, and no other', () => {
  const manifest = JSON.parse(readFileSync('custom-elements.json', 'utf8')) as {
    modules: readonly { declarations?: readonly Declaration[] }[];
  };
  const declarations = manifest.modules.flatMap((module) => module.declarations ?? []);
  const attributesOf = (tag: string): string[] =>
    declarations.find(({ tagName }) => tagName === tag)!.attributes!.map(({ name }) => name);
  const settings = attributesOf('clip-config');
  const source = readFileSync('integrations/wordpress/includes/ElementAttributes.php', 'utf8');
  const found = [...source.matchAll(/'(clip-[a-z-]+)' => \[([^\]]*)\]/g)];
  assert.equal(found.length, 8);
  for (const [, tag, list] of found) {
    const listed = [...list!.matchAll(/'([^']+)'/g)].map(([, name]) => name!);
    const wanted = attributesOf(tag!).filter(
      (name) => !settings.includes(name) && !ofSite.includes(name),
    );
    assert.deepEqual(listed.sort(), wanted.sort(), tag!);
  }
});
