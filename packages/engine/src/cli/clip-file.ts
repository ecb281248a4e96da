/** Maximum length of a title in a file name, in characters. */
const maxTitleLength = 60;

/**
 * The file name of a clip: its number and its title, such as `01-why-we-sleep.mp4`. Letters of all
 * scripts stay. Characters that are special in a shell or a file system become a dash.
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
