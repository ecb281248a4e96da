/*
 * For pages that cannot write the elements themselves: reads `<meta name="clip-config">`, and makes
 * elements of `<div data-clip-preview="ID">` and the like, now and whenever they are inserted.
 */
import { readMarkup } from '../elements/settings/page-wide.ts';
import { follow } from '../elements/settings/settings.ts';
import { lookUpConfig, readPageConfig } from './page-config.ts';
import { listOptions, removeOption, tags, upgradeMarked, upgradeTree } from './plain-markup.ts';

/** Notifies the elements where the settings are, or that they have changed. */
const publish = (): void => readMarkup(readPageConfig);

function onMutations(records: readonly MutationRecord[]): void {
  const inHead = records.some(({ target }) => /^(HTML|HEAD|META)$/.test(target.nodeName));
  if (inHead && lookUpConfig()) publish();
  for (const { target, attributeName, addedNodes } of records) {
    if (attributeName) {
      if (!(target as Element).hasAttribute(attributeName)) {
        removeOption(target as Element, attributeName);
      }
      upgradeTree(target);
    } else {
      // A page may have replaced the content of what is upgraded.
      upgradeMarked(target);
      addedNodes.forEach(upgradeTree);
    }
  }
}

function start(): void {
  const observer = new MutationObserver(onMutations);
  const observe = (): void => {
    const defined = tags.filter((tag) => customElements.get(tag));
    observer.observe(document, {
      childList: true,
      subtree: true,
      attributeFilter: [
        ...['contenteditable', 'content', 'name', 'href'],
        ...tags.map((tag) => `data-${tag}`),
        ...defined.flatMap(listOptions),
      ],
    });
  };
  const all = (): void => upgradeTree(document);
  observe();
  lookUpConfig();
  publish();
  // Calls it when settings change.
  follow({ requestUpdate: all });
  addEventListener('load', all);
  for (const tag of tags) {
    void customElements.whenDefined(tag).then(() => {
      observe();
      all();
    });
  }
  void customElements.whenDefined('clip-config').then(publish);
}

if (globalThis.document) start();
