const internal =
  /^#|Callback$|^(render|updated|willUpdate|styles|properties|delegatesFocus|requestUpdate|updateComplete|observedAttributes|focus|authorize)$/;

/**
 * Keeps what a page author may use, and names the attributes: those of every property that can be set, apart from
 * functions. (A test compares them with the classes' `observedAttributes`.) Files come in the order of their names,
 * wherever the analyzer runs.
 */
const publicFace = () => ({
  name: 'public-face',
  packageLinkPhase({ customElementsManifest }) {
    customElementsManifest.modules.sort((a, b) => (a.path < b.path ? -1 : 1));
    for (const { declarations = [] } of customElementsManifest.modules) {
      for (const declaration of declarations.filter(({ kind }) => kind === 'class')) {
        declaration.members = (declaration.members ?? []).filter(
          ({ name, privacy }) => !internal.test(name) && (privacy ?? 'public') === 'public',
        );
        if (!declaration.tagName) continue;
        // The analyzer takes the arguments of event classes for events.
        declaration.events = declaration.events?.filter(({ name }) => name?.startsWith('clip-'));
        if (!declaration.events?.length) delete declaration.events;
        declaration.attributes = declaration.members
          .filter(
            (member) =>
              member.kind === 'field' &&
              !member.readonly &&
              !member.static &&
              !member.type?.text.includes('GetToken'),
          )
          .map(({ name, type, description, inheritedFrom }) => ({
            name: name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
            ...(type && { type }),
            ...(description && { description }),
            fieldName: name,
            ...(inheritedFrom && { inheritedFrom }),
          }));
      }
    }
  },
});

export default {
  globs: ['src/elements/*.ts', 'src/define/*.ts', 'src/client/clip-error.ts'],
  exclude: ['src/elements/*-styles.ts', 'src/elements/css.ts'],
  outdir: '.',
  packagejson: false,
  plugins: [publicFace()],
};
