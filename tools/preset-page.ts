import type { Preset } from '../packages/engine/src/style/presets.ts';

/** The page `docs/presets.md`: its own text, with the presets between the markers. */
export function withPresets(page: string, presets: readonly Preset[]): string {
  const cell = ({ id, name, description }: Preset) =>
    `<img src="./images/presets/${id}.jpg" alt="The preset ${name}: ${description}" width="180"><br>**\`${id}\`**<br>${description}`;
  const rows: string[] = [];
  for (let index = 0; index < presets.length; index += 4) {
    const cells = presets.slice(index, index + 4).map(cell);
    while (cells.length < Math.min(4, presets.length)) cells.push('');
    rows.push(`| ${cells.join(' | ')} |`);
    if (index === 0) rows.push(`|${'---|'.repeat(cells.length)}`);
  }
  const made = `<!-- presets -->\n\n${rows.join('\n')}\n\n<!-- /presets -->`;
  return page.replace(/<!-- presets -->[\s\S]*<!-- \/presets -->/, () => made);
}
