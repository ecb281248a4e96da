/** The elements as `custom-elements.json` and their classes describe them, for generated code. */
import { readFileSync } from 'node:fs';
import type { LitElement } from 'lit';
import { importStyleSheets } from './style-sheets.ts';

importStyleSheets();
const elements = await import('../src/elements/index.ts');

export interface ElementModel {
  readonly tag: string;
  readonly className: string;
  readonly description: string;
  readonly fields: readonly Field[];
  readonly events: readonly ElementEvent[];
  /**
   * The attribute of a server's HTML, until the browser has set properties and listeners, for an
   * element that starts exports or tasks itself, or in what it shows.
   */
  readonly waits: 'hydrating' | 'inert' | null;
}

/** A property that a page may set. */
export interface Field {
  readonly name: string;
  readonly description: string;
  /** Null: it has none. */
  readonly attribute: string | null;
  /** Whether setting the attribute and setting the property are the same. */
  readonly reflects: boolean;
  /** Whether a server writes the attribute for the property. */
  readonly rendered: boolean;
}

export interface ElementEvent {
  readonly name: string;
  readonly description: string;
  readonly type: string;
  /** Module of its class below `dist/`; null for `Event`. */
  readonly module: string | null;
}

interface Named {
  readonly name: string;
  readonly description?: string;
}

interface Declaration extends Named {
  readonly tagName?: string;
  readonly members: readonly (Named & { kind: string; readonly?: boolean; static?: boolean })[];
  readonly attributes?: readonly (Named & { readonly fieldName: string })[];
  readonly events?: readonly (Named & {
    readonly type: { readonly text: string; readonly references: readonly { module?: string }[] };
  })[];
}

const classes = elements as unknown as Readonly<Record<string, typeof LitElement>>;

const waits: Readonly<Record<string, ElementModel['waits']>> = {
  'clip-create': 'inert',
  'clip-export-button': 'hydrating',
  'clip-list': 'inert',
};

/** Whether the attribute sets the value of the property: such have no accessor of Lit's. */
function isKept(className: string, name: string): boolean {
  const { observedAttributes, elementProperties } = classes[className]!;
  // Lit knows the properties once the attributes are read.
  if (!observedAttributes.length) throw new Error(`${className} has no attributes.`);
  return elementProperties.get(name)?.noAccessor === true && name !== 'token';
}

const joinLines = (text = ''): string => text.replaceAll(/\s+/g, ' ').trim();

function readElement(declaration: Declaration): ElementModel {
  const { name: className, tagName: tag = '', description, members } = declaration;
  const fields = members
    .filter((member) => member.kind === 'field' && !member.readonly && !member.static)
    .map((member): Field => {
      const found = declaration.attributes?.find(({ fieldName }) => fieldName === member.name);
      const reflects = !!found && isKept(className, member.name);
      return {
        name: member.name,
        description: joinLines(member.description),
        attribute: found?.name ?? null,
        reflects,
        // Without a CSRF token, requests before hydration would be refused.
        rendered: reflects || member.name === 'csrfToken',
      };
    });
  const events = (declaration.events ?? []).map(
    ({ name, type, description: about }): ElementEvent => ({
      name,
      description: joinLines(about),
      type: type.text,
      module: type.references[0]?.module?.replace(/^dist\//, '') ?? null,
    }),
  );
  return {
    tag,
    className,
    description: joinLines(description),
    fields,
    events,
    waits: waits[tag] ?? null,
  };
}

/** All elements, in the order of their tags. */
export function readElementModels(): ElementModel[] {
  const manifest = JSON.parse(
    readFileSync(new URL('../custom-elements.json', import.meta.url), 'utf8'),
  ) as { modules: readonly { declarations: readonly Declaration[] }[] };
  return manifest.modules
    .flatMap(({ declarations }) => declarations)
    .filter(({ tagName }) => tagName)
    .map(readElement)
    .toSorted((a, b) => (a.tag < b.tag ? -1 : 1));
}
