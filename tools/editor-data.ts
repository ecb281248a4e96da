/** What editors show while somebody writes the elements, made from `custom-elements.json`. */
import { settingNames } from '../src/upgrade/page-config.ts';
import type { Declaration } from './api-tables.ts';

interface Described {
  readonly name: string;
  readonly description?: string;
}

const described = ({ name, description }: Described) => ({
  name,
  ...(description && { description }),
});

/** `'lazy' | 'eager'` as its words; empty for other types. */
const wordsOf = (type = ''): string[] =>
  /^'[^']*'( \| '[^']*')*$/.test(type) ? type.split(' | ').map((word) => word.slice(1, -1)) : [];

/** For JetBrains' editors: https://github.com/JetBrains/web-types */
export function webTypes(elements: readonly Declaration[], version: string): object {
  return {
    $schema: 'https://json.schemastore.org/web-types',
    name: 'clip-kit',
    version,
    'js-types-syntax': 'typescript',
    'description-markup': 'markdown',
    contributions: {
      html: {
        elements: elements.map((element) => ({
          ...described({ ...element, name: element.tagName }),
          attributes: element.attributes.map((attribute) => ({
            ...described(attribute),
            ...(attribute.default && { default: attribute.default.replaceAll("'", '') }),
            value: { type: attribute.type?.text ?? 'string' },
            required: false,
          })),
          slots: (element.slots ?? []).map(described),
          js: {
            properties: element.members
              .filter(({ kind }) => kind === 'field')
              .map((property) => ({
                ...described(property),
                ...(property.type && { type: property.type.text }),
                ...(property.readonly && { 'read-only': true }),
              })),
            events: (element.events ?? []).map((event) => ({
              ...described(event),
              ...(event.type && { type: event.type.text }),
            })),
          },
          css: {
            properties: (element.cssProperties ?? []).map(described),
            parts: (element.cssParts ?? []).map(described),
          },
        })),
      },
    },
  };
}

/** What plain markup cannot set: see `docs/elements/plain-markup.md`. */
const ofSite = new Set([
  ...settingNames.values(),
  ...['token', 'allow', 'sandbox', 'referrerPolicy'],
]);

/** For VS Code: https://github.com/microsoft/vscode-custom-data */
export function vscodeData(elements: readonly Declaration[]): object {
  const markdown = (value = '') => ({ kind: 'markdown', value });
  const attribute = ({ name, description, type }: Declaration['attributes'][number]) => {
    const words = wordsOf(type?.text);
    return {
      name,
      description: markdown(description),
      // A flag is written without a value.
      ...(type?.text === 'boolean' && { valueSet: 'v' }),
      ...(words.length && { values: words.map((word) => ({ name: word })) }),
    };
  };
  const visible = elements.filter(({ tagName }) => tagName !== 'clip-config');
  const marks = visible.map(({ tagName }) => ({
    name: `data-${tagName}`,
    description: markdown(`The script makes a \`<${tagName}>\` of it. The id, or empty on a link.`),
  }));
  const options = new Map(
    visible
      .flatMap(({ attributes }) => attributes)
      .filter(({ fieldName }) => !ofSite.has(fieldName))
      .map((one) => [one.name, { ...attribute(one), name: `data-clip-${one.name}` }]),
  );
  return {
    version: 1.1,
    tags: elements.map(({ tagName, description, attributes }) => ({
      name: tagName,
      description: markdown(description),
      attributes: attributes.map(attribute),
    })),
    globalAttributes: [...marks, ...options.values()],
  };
}
