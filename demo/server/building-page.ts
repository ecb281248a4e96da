/** Pages that stand for those that are not built yet. They load no file of the build. */

/** Returns a page with a heading and some HTML below it. */
export const makeNoticePage = (title: string, html: string, head = ''): string => `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  ${head}
  <title>${title} · Cutroom</title>
  <link rel="icon" href="/favicon.svg" type="image/svg+xml">
  <style>
    html { color-scheme: light dark; font: 1rem/1.55 system-ui, sans-serif; }
    main { max-width: 34rem; margin: 15vh auto; padding: 0 1.25rem; }
    progress { width: 100%; }
  </style>
  <main><h1>${title}</h1>
  ${html}</main>
</html>`;

/** Returns a page that loads again every two seconds. */
export const makeBuildingPage = (title: string, status: string): string =>
  makeNoticePage(
    title,
    `<p role="status">${status}</p>
  <progress aria-label="${title}"></progress>`,
    '<meta http-equiv="refresh" content="2">',
  );
