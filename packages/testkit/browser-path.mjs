import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of the first of these programs that is on the path, or null. */
function onPath(names) {
  for (const name of names) {
    for (const directory of (process.env.PATH ?? '').split(delimiter)) {
      const path = join(directory, name);
      try {
        accessSync(path, constants.X_OK);
        return path;
      } catch {
        // Not in this directory.
      }
    }
  }
  return null;
}

/** The browser for the tests: `CHROME_PATH`, or the first one found on the path. */
export function browserPath() {
  const path =
    process.env.CHROME_PATH || onPath(['chromium', 'chromium-headless-shell', 'google-chrome']);
  if (path) return path;
  throw new Error(
    'No browser found: install chromium (apt-get install chromium-headless-shell), or set CHROME_PATH.',
  );
}

/** The Firefox for the tests: `FIREFOX_PATH`, or the first one found on the path. */
export function firefoxPath() {
  const path = process.env.FIREFOX_PATH || onPath(['firefox-esr', 'firefox']);
  if (path) return path;
  throw new Error(
    'No Firefox found: install it (apt-get install firefox-esr), or set FIREFOX_PATH.',
  );
}

/** WebKit's driver and the display for its browser: both are on the path if they are installed. */
export function webkitPaths() {
  const driver = onPath(['WebKitWebDriver']);
  const display = onPath(['Xvfb']);
  if (driver && display) return { driver, display };
  throw new Error(
    'No WebKit found: install WebKitGTK’s driver and Xvfb (apt-get install webkit2gtk-driver xvfb).',
  );
}
