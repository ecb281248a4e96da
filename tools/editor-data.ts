/** Writes the completions of code editors from `custom-elements.json`. */
import { settingNames } from '../src/upgrade/page-config.ts';
import type { Declaration } from './api-tables.ts';

interface Described {
  readonly name: string;
  readonly description?: string;
}

const describeItem = ({ name, description }: Described) => ({
  name,
  ...(description && { description }),
});

/** `'lazy' | 'eager'` as its words; empty for other types. */
const listWords = (type = ''): string[] =>
  /^'[^']*'( \| '[^']*')*$/.test(type) ? type.split(' | ').map((word) => word.slice(1, -1)) : [];

/** For JetBrains' editors: https://github.com/JetBrains/web-types */
export function writeWebTypes(elements: readonly Declaration[], version: string): object {
  return {
    $schema: 'https://json.schemastore.org/web-types',
    name: 'clip-kit',
    version,
    'js-types-syntax': 'typescript',
    'description-markup': 'markdown',
    contributions: {
      html: {
        elements: elements.map((element) => ({
          ...describeItem({ ...element, name: element.tagName }),
          attributes: element.attributes.map((attribute) => ({
            ...describeItem(attribute),
            ...(attribute.default && { default: attribute.default.replaceAll("'", '') }),
            value: { type: attribute.type?.text ?? 'string' },
            required: false,
          })),
          slots: (element.slots ?? []).map(describeItem),
          js: {
            properties: element.members
              .filter(({ kind }) => kind === 'field')
              .map((property) => ({
                ...describeItem(property),
                ...(property.type && { type: property.type.text }),
                ...(property.readonly && { 'read-only': true }),
              })),
            events: (element.events ?? []).map((event) => ({
              ...describeItem(event),
              ...(event.type && { type: event.type.text }),
            })),
          },
          css: {
            properties: (element.cssProperties ?? []).map(describeItem),
            parts: (element.cssParts ?? []).map(describeItem),
          },
        })),
      },
    },
  };
}

/** Settings that plain markup cannot have: see `docs/elements/plain-markup.md`. */
const ofSite = new Set([
  ...settingNames.values(),
  ...['token', 'allow', 'sandbox', 'referrerPolicy'],
]);

/** For VS Code: https://github.com/microsoft/vscode-custom-data */
export function writeVscodeData(elements: readonly Declaration[]): object {
  const markdown = (value = '') => ({ kind: 'markdown', value });
  const attribute = ({ name, description, type }: Declaration['attributes'][number]) => {
    const words = listWords(type?.text);
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
