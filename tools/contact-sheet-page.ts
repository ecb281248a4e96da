/** One entry of the sheet. Pictures are data: URLs; sources are 16:9 and clips 9:16. */
export interface SheetTile {
  title: string;
  line: string;
  /** 0 to 1; null if the clip has none. */
  score: number | null;
  pairs: readonly { source: string; clip: string }[];
}

/** In pixels. */
export const sheetWidth = 1600;

const style = `
  body { margin: 0; padding: 36px 40px 40px; background: #faf7f2; color: #211c17;
    font: 400 21px/1.35 'Noto Sans', sans-serif; }
  main { display: grid; grid-template-columns: 1fr 1fr; gap: 34px 40px; }
  h2 { margin: 0; font: 600 27px/1.2 'Noto Serif', serif; letter-spacing: -0.01em; }
  p { margin: 2px 0 14px; color: #6a6058; }
  header { position: relative; }
  .score { position: absolute; right: 0; top: 4px; padding: 3px 13px; border-radius: 99px;
    background: #c2361c; color: #fff; font-size: 20px; font-weight: 600; }
  .frames { display: grid; grid-template-columns: 306px 24px 1fr 1fr; gap: 10px; align-items: center; }
  .sources { display: grid; gap: 10px; }
  img { display: block; width: 100%; border-radius: 8px; }
  .clip { aspect-ratio: 9 / 16; object-fit: cover; border-radius: 12px;
    box-shadow: 0 0 0 1px rgb(0 0 0 / 6%), 0 5px 16px rgb(40 25 10 / 18%); }
  svg { width: 24px; fill: none; stroke: #c2361c; stroke-width: 3; stroke-linecap: round; stroke-linejoin: round; }
`;

const tile = ({ title, line, score, pairs }: SheetTile): string => `<section>
  <header><h2>${title}</h2><p>${line}</p>${
    score === null ? '' : `<span class="score">score ${Math.round(score * 100)} of 100</span>`
  }</header>
  <div class="frames">
    <div class="sources">${pairs.map(({ source }) => `<img src="${source}" alt="">`).join('')}</div>
    <svg viewBox="0 0 24 24"><path d="M3 12h17m-7-7 7 7-7 7"/></svg>
    ${pairs.map(({ clip }) => `<img class="clip" src="${clip}" alt="">`).join('')}
  </div>
</section>`;

/**
 * The whole sheet as a page of {@link sheetWidth}. Its texts are not escaped: they come from this
 * script.
 */
export const sheetPage = (tiles: readonly SheetTile[]): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><style>${style}</style><main>${tiles
    .map(tile)
    .join('')}</main></html>`;
