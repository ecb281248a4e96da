/** Longest name of a title in a file name, in characters. */
const maxTitleLength = 60;

/**
 * The name of a clip's file: its place and its title, such as `01-why-we-sleep.mp4`. Letters of every script stay; what a
 * shell or a file system could take for something else is a dash.
 */
export function clipFileName(place: number, title: string): string {
  const words = title
    .normalize('NFC')
    .toLowerCase()
    .replace(/['’]/gu, '')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .slice(0, maxTitleLength)
    .replace(/^-+|-+$/g, '');
  return `${[String(place).padStart(2, '0'), words].filter(Boolean).join('-')}.mp4`;
}
