import { writeMarkup, type Markup } from '../markup.ts';

export const frameworks = ['HTML', 'React', 'Vue', 'Svelte', 'Angular'] as const;
export type Framework = (typeof frameworks)[number];

const nameModule = (tag: string): string =>
  /^clip-(feed|list)$/.test(tag) ? `clip-kit/${tag}` : `clip-kit/define/${tag}.js`;

/** The tags of a markup, each once. */
const listTags = ({ tag, children = [] }: Markup): string[] => [
  ...new Set([
    tag,
    ...children.flatMap((child) => (typeof child === 'string' ? [] : listTags(child))),
  ]),
];

/** Adds the listener to the markup, and escapes values that the framework reads otherwise. */
function writeFrameworkMarkup(
  markup: Markup,
  framework: Framework,
  event: string | undefined,
): string {
  const listener = {
    HTML: '',
    React: `on${event}={(event) => console.log(event)}`,
    Vue: `@${event}="seen"`,
    Svelte: `on${event}={(event) => console.log(event)}`,
    Angular: `(${event})="seen($event)"`,
  }[framework];
  let text = writeMarkup(markup);
  if (event) text = text.replace(/^<([\w-]+)/, `<$1 ${listener}`);
  // Values that are no plain text in these languages.
  if (framework === 'React' || framework === 'Svelte') {
    text = text.replace(/="([^"]*[{}&\\][^"]*)"/g, (_, value: string) => {
      const plain = value
        .replaceAll('&lt;', '<')
        .replaceAll('&quot;', '"')
        .replaceAll('&amp;', '&');
      return `={${JSON.stringify(plain)}}`;
    });
  }
  return framework === 'Angular' ? text.replaceAll('{', '&#123;') : text;
}

const indent = (text: string, by: string): string =>
  text
    .split('\n')
    .map((line) => by + line)
    .join('\n');

/** The code to copy. `event`: one of the element's events, to show how to listen. */
export function writeSnippet(framework: Framework, markup: Markup, event?: string): string {
  const imports = listTags(markup)
    .filter((tag) => tag.startsWith('clip-'))
    .map((tag) => `import '${nameModule(tag)}';`)
    .join('\n');
  const text = writeFrameworkMarkup(markup, framework, framework === 'HTML' ? undefined : event);
  switch (framework) {
    case 'HTML': {
      const listen = event
        ? `\n\ndocument.querySelector('${markup.tag}').addEventListener('${event}', (event) => console.log(event));`
        : '';
      return `<script type="module">\n${indent(imports + listen, '  ').replace(/^ +$/gm, '')}\n</script>\n\n${text}`;
    }
    case 'React':
      return `'use client';\n\n${imports}\n\nexport const Clip = () => (\n${indent(text, '  ')}\n);`;
    case 'Vue':
      return `<script setup>\n// vite.config.js: vue({ template: { compilerOptions: {\n//   isCustomElement: (tag) => tag.startsWith('clip-') } } })\n${imports}\n\nconst seen = (event) => console.log(event);\n</script>\n\n<template>\n${indent(text, '  ')}\n</template>`;
    case 'Svelte':
      return `<script>\n${indent(imports, '  ')}\n</script>\n\n${text}`;
    case 'Angular':
      return `import { Component, CUSTOM_ELEMENTS_SCHEMA } from '@angular/core';\n${imports}\n\n@Component({\n  selector: 'my-clip',\n  schemas: [CUSTOM_ELEMENTS_SCHEMA],\n  template: \`\n${indent(text.replaceAll('`', '\\`'), '    ')}\n  \`,\n})\nexport class MyClip {\n  seen(event: Event): void {\n    console.log(event);\n  }\n}`;
  }
}
