/** A file that a page of the documentation shows whole. */
export interface ShownFile {
  /** From the root of the site that it belongs to. */
  readonly path: string;
  readonly text: string;
  /** It is added to a file that the site has already. */
  readonly atEnd: boolean;
}

const shown = /(?<=^|\n\n)(At the end of )?`([^`\s]+)`:?\n\n```\w+\n(.*?)(?<=\n)```(?=\n|$)/gs;

/** The files of a page: the paragraph above each block is the name of its file. */
export const shownFiles = (page: string): ShownFile[] =>
  [...page.matchAll(shown)].map(([, atEnd, path = '', text = '']) => ({
    path,
    text,
    atEnd: atEnd !== undefined,
  }));
