/** The types for frameworks that use the tags themselves, from the elements' model. */
import type { ElementModel } from './element-model.ts';

const header = '// Written by the build from custom-elements.json.\n';

/** Properties, attributes and events of each element, for the other files. */
function writeElementsFile(elements: readonly ElementModel[]): string {
  const imports = new Map<string, Set<string>>();
  const use = (module: string, name: string): void => {
    imports.set(module, (imports.get(module) ?? new Set()).add(name));
  };
  const interfaces = elements.map(({ tag, className, fields, events }) => {
    use(`elements/${tag}/${tag}.js`, className);
    for (const { module, type } of events) if (module) use(module, type);
    const comment = (text: string): string => (text ? `/** ${text} */\n` : '');
    const properties = fields.map(
      ({ name, description }) =>
        `${comment(description)}${name}?: ${className}['${name}'] | undefined;\n`,
    );
    const attributes = fields.flatMap(({ name, attribute, description }) =>
      attribute === null
        ? []
        : [`${comment(description)}'${attribute}'?: Attribute<${className}['${name}']>;\n`],
    );
    const members = events.map(
      ({ name, description, type }) => `${comment(description)}'${name}': ${type};\n`,
    );
    return `/** \`<${tag}>\` */
export interface ${className}Properties {\n${properties.join('')}}
export interface ${className}Attributes {\n${attributes.join('')}}
export interface ${className}Events {\n${members.join('')}}\n`;
  });
  const lines = [...imports].map(
    ([module, names]) => `import type { ${[...names].sort().join(', ')} } from '../${module}';\n`,
  );
  return `${header}${lines.sort().join('')}
/** A value, or the text of it that an attribute has. */
type Attribute<Value> =
  | Value
  | (Value extends number | boolean ? \`\${Value}\` : Value extends string | null ? never : string)
  | (Value extends boolean ? '' : never)
  | undefined;

${interfaces.join('\n')}
/** All elements: class, properties, attributes and events. */
export interface ClipElements {
${elements
  .map(
    ({ tag, className: name }) =>
      `'${tag}': { element: ${name}; properties: ${name}Properties; attributes: ${name}Attributes; events: ${name}Events };\n`,
  )
  .join('')}}

export type Tag = keyof ClipElements;

/** Attributes and properties of an element. What is both may also be a text. */
export type Settable<One extends Tag> = ClipElements[One]['attributes'] &
  Omit<ClipElements[One]['properties'], keyof ClipElements[One]['attributes']>;

/** Handlers of an element's events, whose names begin with the prefix. */
export type Handlers<One extends Tag, Prefix extends string> = {
  [Name in keyof ClipElements[One]['events'] & string as \`\${Prefix}\${Name}\`]?:
    | ((event: ClipElements[One]['events'][Name]) => void)
    | undefined;
};
`;
}

/** Adds the elements to an interface of tags. */
const writeEntries = (elements: readonly ElementModel[], type: (tag: string) => string): string =>
  elements.map(({ tag }) => `'${tag}': ${type(tag)};\n`).join('');

function writeJsxFiles(
  elements: readonly ElementModel[],
): Record<'react' | 'preact' | 'solid', string> {
  const imports = "import type { ClipElements, Handlers, Settable, Tag } from './elements.js';\n";
  return {
    react: `${header}${imports}import type { ClassAttributes, HTMLAttributes } from 'react';

type Props<One extends Tag> = Settable<One> &
  Handlers<One, 'on'> &
  ClassAttributes<ClipElements[One]['element']> & { class?: string | undefined } &
  Omit<HTMLAttributes<ClipElements[One]['element']>, keyof Settable<One>>;

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
${writeEntries(elements, (tag) => `Props<'${tag}'>`)}}
  }
}
`,
    preact: `${header}${imports}import type { ClassAttributes, HTMLAttributes } from 'preact';

type Props<One extends Tag> = Settable<One> &
  Handlers<One, 'on'> &
  ClassAttributes<ClipElements[One]['element']> &
  Omit<HTMLAttributes<ClipElements[One]['element']>, keyof Settable<One>>;

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
${writeEntries(elements, (tag) => `Props<'${tag}'>`)}}
  }
}
`,
    solid: `${header}${imports}import type { JSX } from 'solid-js';

type Prefixed<Of, Prefix extends string> = {
  [Name in keyof Of & string as \`\${Prefix}:\${Name}\`]?: Of[Name];
};

type Props<One extends Tag> = Settable<One> &
  Handlers<One, 'on:'> &
  Prefixed<ClipElements[One]['properties'], 'prop'> &
  Prefixed<ClipElements[One]['attributes'], 'attr'> &
  Omit<JSX.HTMLAttributes<ClipElements[One]['element']>, keyof Settable<One>>;

declare module 'solid-js' {
  namespace JSX {
    interface IntrinsicElements {
${writeEntries(elements, (tag) => `Props<'${tag}'>`)}}
  }
}
`,
  };
}

const writeVueFile = (elements: readonly ElementModel[]): string => `${header}
import type { Handlers, Settable, Tag } from './elements.js';
import type { HTMLAttributes } from 'vue';

/** As Vue's tools read a component. */
interface Component<One extends Tag> {
  new (): {
    $props: Settable<One> &
      Handlers<One, 'on'> &
      Capitalized<Handlers<One, ''>> &
      Omit<HTMLAttributes, keyof Settable<One>>;
  };
}

/** A template's \`@clip-preview-ready\` is \`onClipPreviewReady\` for its tools. */
type Camel<Text extends string> = Text extends \`\${infer First}-\${infer Rest}\`
  ? \`\${First}\${Capitalize<Camel<Rest>>}\`
  : Text;
type Capitalized<Of> = {
  [Name in keyof Of & string as \`on\${Capitalize<Name>}\` | \`on\${Capitalize<Camel<Name>>}\`]?: Of[Name];
};

declare module 'vue' {
  interface GlobalComponents {
${writeEntries(elements, (tag) => `Component<'${tag}'>`)}}
}
`;

const writeSvelteFile = (elements: readonly ElementModel[]): string => `${header}
import type { ClipElements, Handlers, Settable, Tag } from './elements.js';
import type { HTMLAttributes } from 'svelte/elements';

type Props<One extends Tag> = Settable<One> &
  Handlers<One, 'on'> &
  Handlers<One, 'on:'> &
  Omit<HTMLAttributes<ClipElements[One]['element']>, keyof Settable<One> | keyof Handlers<One, 'on'>>;

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
${writeEntries(elements, (tag) => `Props<'${tag}'>`)}}
}
`;

/** The files by their path. */
export function writeElementTypes(elements: readonly ElementModel[]): Map<string, string> {
  const { react, preact, solid } = writeJsxFiles(elements);
  return new Map([
    // TypeScript refuses an import of a style sheet without one.
    ['dist/types/placeholder.css.d.ts', `${header}export {};\n`],
    ['dist/types/elements.d.ts', writeElementsFile(elements)],
    ['dist/types/react.d.ts', react],
    ['dist/types/preact.d.ts', preact],
    ['dist/types/solid.d.ts', solid],
    ['dist/types/vue.d.ts', writeVueFile(elements)],
    ['dist/types/svelte.d.ts', writeSvelteFile(elements)],
  ]);
}
