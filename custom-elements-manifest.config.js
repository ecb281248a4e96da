import { readFileSync, readdirSync } from 'node:fs';

const internal =
  /^#|Callback$|^(styles|properties|shadowRootOptions|focus|configure|readMarkup|registerLocale)$/;

const sources = ['src/elements', 'src/client', 'src/flow'].flatMap((directory) =>
  readdirSync(directory, { recursive: true })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `${directory}/${file}`),
);

/**
 * What the analyzer loses: the type of each member as its own class has it, and the unions of words
 * behind names.
 */
function readTypes(ts) {
  const members = new Map();
  const unions = new Map();
  for (const path of sources) {
    const file = ts.createSourceFile(
      path,
      readFileSync(path, 'utf8'),
      ts.ScriptTarget.Latest,
      true,
    );
    for (const node of file.statements) {
      if (ts.isTypeAliasDeclaration(node) && ts.isUnionTypeNode(node.type)) {
        const words = node.type.types.map((one) => one.getText());
        if (words.every((word) => word.startsWith("'"))) {
          unions.set(node.name.text, words.join(' | '));
        }
      }
      if (!ts.isClassDeclaration(node)) continue;
      for (const member of node.members) {
        const typed = ts.isPropertyDeclaration(member) || ts.isGetAccessorDeclaration(member);
        if (typed && member.type) {
          members.set(`${node.name.text}.${member.name.getText()}`, member.type.getText());
        }
      }
    }
  }
  return { members, unions };
}

/** The classes from the one that is declared up to its last ancestor here. */
function chainOf(declaration, classes) {
  const chain = [];
  for (let at = declaration; at; at = classes.get(at.superclass?.name)) chain.push(at.name);
  return chain;
}

/** Attributes that are spelled as HTML spells them. */
const ofHtml = { referrerPolicy: 'referrerpolicy', playsInline: 'playsinline' };

/** Properties of the player's state. */
const withoutAttribute = ['currentTime', 'volume', 'playbackRate'];

/** The file of the package that a source is built to. */
const builtPath = (source) => source.replace(/^\/?src\//, 'dist/').replace(/\.ts$/, '.js');

/** The classes that a reader of the manifest needs: elements, their ancestors, events, errors. */
function neededClasses(declarations, classes) {
  const needed = new Set(['ClipError', 'ClipEvent']);
  for (const one of declarations) {
    if (!one.tagName) continue;
    for (const name of chainOf(one, classes)) needed.add(name);
    for (const { type } of one.events ?? []) needed.add(type.text);
  }
  return needed;
}

/** Makes every reference below a value name a file of the package. */
function setModules(value) {
  if (typeof value !== 'object' || value === null) return;
  if (typeof value.module === 'string') value.module = builtPath(value.module);
  for (const one of Object.values(value)) setModules(one);
}

/** Keeps the modules of these classes and of definitions, at their paths in the package. */
function packagePaths(manifest, needed) {
  for (const module of manifest.modules) {
    module.path = builtPath(module.path);
    module.declarations = module.declarations?.filter(({ name }) => needed.has(name)) ?? [];
    const names = new Set(module.declarations.map(({ name }) => name));
    module.exports = module.exports?.filter(
      ({ kind, name }) => kind === 'custom-element-definition' || names.has(name),
    );
    setModules(module);
  }
  manifest.modules = manifest.modules.filter(
    ({ declarations, exports = [] }) => declarations.length || exports.length,
  );
}

/** Says where the class of each event is. */
function locateEvents(manifest) {
  const modules = new Map(
    manifest.modules.flatMap(({ path, declarations }) =>
      declarations.map(({ name }) => [name, path]),
    ),
  );
  for (const { declarations } of manifest.modules) {
    for (const { type } of declarations.flatMap(({ events = [] }) => events)) {
      const module = modules.get(type.text);
      const place = module ? { package: 'clip-kit', module } : { package: 'global:' };
      type.references = [{ name: type.text, ...place, start: 0, end: type.text.length }];
    }
  }
}

/**
 * Keeps what a page author may use, writes types out, and names the attributes: those of every
 * property that can be set, apart from functions. (A test compares them with the classes'
 * `observedAttributes`.) Files come in the order of their names, wherever the analyzer runs.
 */
function publicFace() {
  let types;
  return {
    name: 'public-face',
    collectPhase({ ts }) {
      types ??= readTypes(ts);
    },
    packageLinkPhase({ customElementsManifest }) {
      customElementsManifest.modules.sort((a, b) => (a.path < b.path ? -1 : 1));
      const declarations = customElementsManifest.modules
        .flatMap((module) => module.declarations ?? [])
        .filter(({ kind }) => kind === 'class');
      const classes = new Map(declarations.map((one) => [one.name, one]));
      for (const declaration of declarations) {
        declaration.members = (declaration.members ?? []).filter(
          ({ name, privacy }) => !internal.test(name) && (privacy ?? 'public') === 'public',
        );
        const chain = chainOf(declaration, classes);
        for (const member of declaration.members) {
          if (member.kind !== 'field' || member.static) continue;
          const owner = chain.find((name) => types.members.has(`${name}.${member.name}`));
          const text = types.members.get(`${owner}.${member.name}`);
          if (text) member.type = { text: types.unions.get(text) ?? text };
          // What a constructor assigns to what cannot be set is no default.
          if (member.readonly) delete member.default;
          else if (member.default) member.default = member.default.replace(/(?<=\d)_(?=\d)/g, '');
        }
        if (!declaration.tagName) continue;
        // The analyzer takes the arguments of event classes for events.
        declaration.events = declaration.events?.filter(({ description }) => description);
        if (!declaration.events?.length) delete declaration.events;
        declaration.attributes = declaration.members
          .filter(
            (member) =>
              member.kind === 'field' &&
              !member.readonly &&
              !member.static &&
              !withoutAttribute.includes(member.name) &&
              !/\bGet(Token|Session)\b/.test(member.type?.text),
          )
          .map(({ name, type, description, default: value, inheritedFrom }) => ({
            name: ofHtml[name] ?? name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
            ...(type && { type }),
            ...(description && { description }),
            ...(value && { default: value }),
            fieldName: name,
            ...(inheritedFrom && { inheritedFrom }),
          }));
      }
      packagePaths(customElementsManifest, neededClasses(declarations, classes));
      locateEvents(customElementsManifest);
    },
  };
}

export default {
  globs: ['src/elements/**/*.ts', 'src/define/*.ts', 'src/client/clip-error.ts'],
  exclude: ['src/elements/**/*-styles.ts'],
  outdir: '.',
  packagejson: false,
  plugins: [publicFace()],
};
