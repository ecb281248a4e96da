/** The sources of `clip-kit/react`, from the elements' model. */
import type { ElementEvent, ElementModel } from './element-model.ts';

const header = '// Written by the build from custom-elements.json.';

/** Events that React writes as two words. */
const twoWords = /(?<=time|duration|volume|rate|loaded)(update|change|metadata)$/;

const toPascalCase = (kebab: string): string =>
  kebab.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/**
 * `onReady` for `clip-embed-ready` of `<clip-embed>`: without the words that the event shares with
 * the tag. `onMediaError` for the `error` of a player next to `clip-embed-error`.
 */
function listHandlerNames({ tag, events }: ElementModel): Map<ElementEvent, string> {
  const own = (event: ElementEvent): string => {
    const words = event.name.split('-');
    const shared = tag.split('-').findIndex((word, at) => word !== words[at]);
    return `on${toPascalCase(words.slice(shared < 0 ? tag.split('-').length : shared).join('-'))}`;
  };
  const ofKit = events.filter(({ module }) => module);
  const names = new Map(ofKit.map((event) => [event, own(event)]));
  const taken = new Set(names.values());
  for (const event of events) {
    if (event.module) continue;
    const name = `on${toPascalCase(event.name.replace(twoWords, '-$1'))}`;
    names.set(event, taken.has(name) ? `onMedia${toPascalCase(event.name)}` : name);
  }
  return names;
}

const writeComment = (text: string, indent: string): string => `${indent}/** ${text} */\n`;

function writeWrapper(element: ElementModel): string {
  const { tag, className, description, fields, events, waits } = element;
  const handlers = listHandlerNames(element);
  const imports = new Map<string, string[]>();
  for (const { type, module } of events) {
    if (!module) continue;
    const file = `../${module.replace(/\.js$/, '.ts')}`;
    imports.set(file, [...(imports.get(file) ?? []), type]);
  }
  const attributes = fields.filter(({ rendered }) => rendered);
  // The attribute `muted` is only its value at the start, as in HTML. The watermark is never that
  // of the server if the browser's differs, which React does not write when it hydrates.
  const isBoth = (name: string): boolean => name === 'muted' || name === 'watermark';
  const others = fields.filter(({ rendered, name }) => !rendered || isBoth(name));
  // A list may show and announce something before its listeners are there.
  const untilReady = tag === 'clip-list' ? 'again' : waits;
  const quoted = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');
  const lines = [...handlers].map(
    ([{ name, description: about, type }, handler]) =>
      `${writeComment(`\`${name}\`: ${about}`, '  ')}  ${handler}: ${type};\n`,
  );
  return `${header}
${[...imports].map(([file, types]) => `import type { ${types.join(', ')} } from '${file}';\n`).join('')}import { ${className} as Element } from '../define/${tag}.ts';
import { wrap, type Wrapper } from './wrap.ts';

type Fields = ${fields.map(({ name }) => `| '${name}'`).join('')};

${lines.length ? `interface Events {\n${lines.join('')}}` : 'type Events = object;'}

/**
 * ${description}
 * The element \`<${tag}>\`, with its properties and events as props.
 */
export const ${className}: Wrapper<Element, Fields, Events> = /* @__PURE__ */ wrap('${tag}', {
  attributes: [${quoted(attributes.map(({ name }) => name))}],
  properties: [${quoted(others.map(({ name }) => name))}],
  events: { ${[...handlers].map(([{ name }, handler]) => `${handler}: '${name}'`).join(', ')} },
  ${untilReady ? `untilReady: '${untilReady}',` : ''}
});
`;
}

const index = (elements: readonly ElementModel[]): string =>
  `${header}\n${elements.map(({ tag, className }) => `export { ${className} } from './${tag}.ts';\n`).join('')}`;

/** The files by their path. */
export function writeReactSources(elements: readonly ElementModel[]): Map<string, string> {
  return new Map([
    ...elements.map((one) => [`src/react/${one.tag}.ts`, writeWrapper(one)] as const),
    ['src/react/index.ts', index(elements)],
    // For server components. Of their own, because other bundlers warn of the directive; one for
    // each, so that a page loads only the elements that it shows.
    ...elements.map(
      ({ tag, className }) =>
        [
          `src/react/client/${tag}.ts`,
          `'use client';\n${header}\nexport { ${className} } from '../${tag}.ts';\n`,
        ] as const,
    ),
    ['src/react/client/index.ts', index(elements)],
  ]);
}
