/** Links of Markdown pages: which there are, which are dead, and other targets for them. */
import { posix } from 'node:path';

/** A block of code, or a link with its `!`, text and target. */
const codeOrLink = /^( *)```.*?^\1```|(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/gms;

/** Reads a file of the repository or package by its path; undefined if it does not exist. */
export type ReadFile = (path: string) => string | undefined;

/** Whether a target is relative: neither an address nor an anchor of the same page. */
export const isRelative = (target: string): boolean => !/^(?:[a-z]+:|#)/i.test(target);

/** Returns the page with other targets. A link without one becomes its text. */
export function replaceLinks(
  page: string,
  targetOf: (target: string, isImage: boolean) => string | null,
): string {
  return page.replace(
    codeOrLink,
    (whole: string, _indent: unknown, image: string, text: string, target?: string) => {
      if (target === undefined) return whole;
      const inner = replaceLinks(text, targetOf);
      const other = targetOf(target, image === '!');
      return other === null ? inner : `${image}[${inner}](${other})`;
    },
  );
}

/** Lists the targets of a page's links and images. */
export function listLinks(page: string): string[] {
  const targets: string[] = [];
  replaceLinks(page, (target) => {
    targets.push(target);
    return target;
  });
  return targets;
}

/** Returns the anchor of a heading, as code hosts make it. */
export const createAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

/** Lists the anchors of a page's headings. */
const listAnchors = (page: string): string[] =>
  [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => createAnchor(heading));

/** Lists the links of a page to files or anchors that do not exist. */
export function findDeadLinks(path: string, read: ReadFile): string[] {
  return listLinks(read(path) ?? '').filter((target) => {
    if (/^[a-z]+:/i.test(target)) return false;
    const [file = '', anchor] = target.split('#');
    const linked = read(file ? posix.join(posix.dirname(path), file) : path);
    return linked === undefined || (!!anchor && !listAnchors(linked).includes(anchor));
  });
}
