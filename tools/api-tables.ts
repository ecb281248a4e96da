/** The tables of the docs that are made from the code. */
import { type Code, meanings } from '../packages/service/src/api-error.ts';
import { statuses } from '../packages/service/src/api/problem.ts';
import { settingNames } from '../src/upgrade/page-config.ts';

interface Named {
  readonly name: string;
  readonly description?: string;
  readonly default?: string;
  readonly inheritedFrom?: { readonly name: string };
}

interface Typed extends Named {
  readonly type?: { readonly text: string };
}

interface Member extends Typed {
  readonly kind: 'field' | 'method';
  readonly readonly?: boolean;
  readonly parameters?: readonly { readonly name: string }[];
}

/** The part of a manifest declaration that the tables show. */
export interface Declaration {
  readonly tagName: string;
  readonly description?: string;
  readonly members: readonly Member[];
  readonly attributes: readonly (Typed & { readonly fieldName: string })[];
  readonly events?: readonly Typed[];
  readonly slots?: readonly Named[];
  readonly cssParts?: readonly Named[];
  readonly cssProperties?: readonly Named[];
  readonly cssStates?: readonly Named[];
}

const escapeCell = (text: string): string =>
  text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').trim();
const formatCode = (text: string | undefined): string => (text ? `\`${escapeCell(text)}\`` : '–');

/** A table with its heading; nothing if there are no rows. */
const writeTable = (
  heading: string,
  columns: readonly string[],
  rows: readonly string[][],
): string[] =>
  rows.length
    ? [
        `## ${heading}`,
        '',
        `| ${columns.join(' | ')} |`,
        `|${'---|'.repeat(columns.length)}`,
        ...rows.map((cells) => `| ${cells.join(' | ')} |`),
        '',
      ]
    : [];

/** Settings that can also be set around an element, or for the page. */
const settings = new Set<string>(['getSession', ...settingNames.values()]);

const list = (names: readonly string[]): string => names.map(formatCode).join(', ');

/** Whether `<video>` has the member too: `media.md` explains it. */
const isOfMedia = ({ name, inheritedFrom }: Named): boolean =>
  inheritedFrom?.name === 'MediaElement' && name !== 'error';
const isMediaEvent = ({ type }: Typed): boolean => type?.text === 'Event';

/** The tables in Markdown, each with a second-level heading. */
export function writeApiTables(element: Declaration): string {
  const { tagName, cssProperties = [], events = [] } = element;
  const members = element.members.filter((member) => !isOfMedia(member));
  const fields = members.filter(({ kind }) => kind === 'field');
  const attributeOf = (field: Named) =>
    element.attributes.find(({ fieldName }) => fieldName === field.name)?.name;
  const settable = fields.filter((field) => !field.readonly);
  const property = (field: Member): string[] => [
    formatCode(attributeOf(field)),
    formatCode(field.name),
    formatCode(field.type?.text),
    formatCode(field.default),
    escapeCell(field.description ?? ''),
  ];
  const own = settable.filter(({ name }) => tagName === 'clip-config' || !settings.has(name));
  const described = (one: Named, name = one.name): string[] => [
    formatCode(name),
    escapeCell(one.description ?? ''),
  ];
  const ownProperties = cssProperties.filter(({ name }) => name.startsWith(`--${tagName}-`));
  const commonProperties = cssProperties.filter((one) => !ownProperties.includes(one));
  const withAttributes = (all: readonly Member[]): string =>
    all
      .map((field) => [attributeOf(field) ?? field.name, field.name])
      .map(([name, other]) =>
        name === other ? formatCode(name) : `${formatCode(name)} (${formatCode(other)})`,
      )
      .join(', ');
  const elsewhere = settable.filter((field) => !own.includes(field));
  const ofMedia = element.members.filter(isOfMedia);
  const mediaMethods = ofMedia.filter(({ kind }) => kind === 'method');
  const shared = [
    elsewhere.length &&
      `- [Settings](clip-config.md#attributes-and-properties), on the element or for many on a \`<clip-config>\`: ${withAttributes(elsewhere)}`,
    ofMedia.length &&
      `- [Playback](media.md), as of \`<video>\`: the properties ${withAttributes(ofMedia.filter(({ kind }) => kind === 'field'))}; the methods ${list(mediaMethods.map(({ name }) => `${name}()`))}; the events ${list(events.filter(isMediaEvent).map(({ name }) => name))}`,
    commonProperties.length &&
      `- [Custom properties](theming.md#custom-properties): ${list(commonProperties.map(({ name }) => name))}`,
  ].filter((line) => line !== 0);
  return [
    ...writeTable(
      'Attributes and properties',
      ['attribute', 'property', 'type', 'default', 'meaning'],
      [
        // The attribute that selects the clip comes first.
        ...own.filter(({ name }) => name === 'project').map(property),
        ...own.filter(({ name }) => name !== 'project').map(property),
      ],
    ),
    ...writeTable(
      'Properties to read',
      ['property', 'type', 'meaning'],
      fields
        .filter((field) => field.readonly)
        .map((field) => [
          formatCode(field.name),
          formatCode(field.type?.text),
          escapeCell(field.description ?? ''),
        ]),
    ),
    ...writeTable(
      'Methods',
      ['method', 'what it does'],
      members
        .filter(({ kind }) => kind === 'method')
        .map((method) =>
          described(
            method,
            `${method.name}(${(method.parameters ?? []).map(({ name }) => name).join(', ')})`,
          ),
        ),
    ),
    ...writeTable(
      'Events',
      ['event', 'class', 'when'],
      events
        .filter((event) => !isMediaEvent(event))
        .map((event) => [
          formatCode(event.name),
          formatCode(event.type?.text),
          escapeCell(event.description ?? ''),
        ]),
    ),
    ...writeTable(
      'Slots',
      ['slot', 'content'],
      (element.slots ?? []).map((slot) =>
        slot.name ? described(slot) : ['(default)', escapeCell(slot.description ?? '')],
      ),
    ),
    ...writeTable(
      'Parts',
      ['part', 'what'],
      (element.cssParts ?? []).map((part) => described(part)),
    ),
    ...writeTable(
      'Custom properties',
      ['property', 'default', 'what'],
      ownProperties.map((one) => [
        formatCode(one.name),
        formatCode(one.default),
        escapeCell(one.description ?? ''),
      ]),
    ),
    ...writeTable(
      'States',
      ['`:state()`', 'when'],
      (element.cssStates ?? []).map((state) => described(state)),
    ),
    ...(shared.length ? ['## In common with other elements', '', ...shared, ''] : []),
  ]
    .join('\n')
    .trim();
}

/** The codes of the service's errors, by status. */
export const writeErrorTable = (): string =>
  writeTable(
    'Errors',
    ['status', 'code', 'when'],
    (Object.keys(meanings) as Code[])
      .toSorted((a, b) => statuses[a] - statuses[b])
      .map((one) => [`${statuses[one]}`, formatCode(one), escapeCell(meanings[one])]),
  )
    .slice(2, -1)
    .join('\n');

const end = '<!-- End of what is generated. -->';

/**
 * Replaces the tables between the markers of a page and keeps everything else. Throws if the
 * markers are missing.
 */
export function withTables(page: string, tables: string, source = 'custom-elements.json'): string {
  const start = `<!-- Generated from ${source} by \`npm run docs\`: -->`;
  const from = page.indexOf(start);
  const to = page.indexOf(end);
  if (from < 0 || to < from) {
    throw new Error(
      `The page has no place for its tables: it needs the lines "${start}" and "${end}".`,
    );
  }
  return `${page.slice(0, from)}${start}\n\n${tables}\n\n${page.slice(to)}`;
}

/** The elements of a manifest, by tag. */
export const listElements = (manifest: {
  modules: readonly { declarations?: readonly object[] }[];
}): Declaration[] =>
  manifest.modules
    .flatMap(({ declarations = [] }) => declarations)
    .filter((one): one is Declaration => 'tagName' in one);
