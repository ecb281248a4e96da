import puppeteer, { type Browser, type ElementHandle, type KeyInput } from 'puppeteer-core';
import { firefoxPath } from './browser-path.mjs';
import { stallMs } from './stall-ms.ts';
import { waitFor } from './wait-for.ts';
import { WebDriverSession } from './webdriver-session.ts';
import { launchBrowser } from './browser.ts';

/** What tests ask of a tab in any engine. Expressions are JavaScript in the page. */
export interface Tab {
  go(url: string): Promise<void>;
  evaluate(expression: string): Promise<unknown>;
  /** Clicks, with the mouse, the element that the expression gives. */
  click(expression: string): Promise<void>;
  /** @param key a character, or `Enter` */
  press(key: string): Promise<void>;
  /** Pulls the element with the mouse: `pixels` to the right. */
  drag(expression: string, by: number): Promise<void>;
  close(): Promise<void>;
}

/** The middle of an element, in pixels of the window. */
const middleOf = (expression: string): string =>
  `(({ left, top, width, height }) => ({ x: left + width / 2, y: top + height / 2 }))(${expression}.getBoundingClientRect())`;

interface Place {
  x: number;
  y: number;
}

const launchFirefox = (): Promise<Browser> =>
  puppeteer.launch({ browser: 'firefox', executablePath: firefoxPath(), timeout: stallMs });

async function tabOf(browser: Browser): Promise<Tab> {
  const page = await browser.newPage();
  return {
    go: async (url) => void (await page.goto(url)),
    evaluate: (expression) => page.evaluate(expression),
    // What a click shows may be drawn a moment later.
    click: (expression) =>
      waitFor(`a click on ${expression}`, async () => {
        await using handle = await page.evaluateHandle(expression);
        const element = handle.asElement() as ElementHandle | null;
        await element?.click();
        return element !== null;
      }).then(() => {}),
    press: (key) => page.keyboard.press(key as KeyInput),
    drag: async (expression, by) => {
      const { x, y } = (await page.evaluate(middleOf(expression))) as Place;
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + by, y, { steps: 4 });
      await page.mouse.up();
    },
    close: () => browser.close(),
  };
}

function webkitTab(): Tab {
  const session = new WebDriverSession(process.env['WEBDRIVER_URL']);
  const evaluate = <T>(expression: string): Promise<T> =>
    session.command('POST', '/execute/sync', { script: `return ${expression}`, args: [] });
  return {
    go: (url) => session.command('POST', '/url', { url }),
    evaluate,
    // As a person does, who waits until the page has drawn it: none of these errors is a click.
    click: (expression) =>
      waitFor(`a click on ${expression}`, async () => {
        const element = await evaluate<Record<string, string> | null>(expression);
        if (!element) return null;
        const [id] = Object.values(element);
        return session.command('POST', `/element/${id}/click`, {}).then(
          () => true,
          (error: Error) => {
            if (/stale element|not interactable|click intercepted/.test(error.message)) return null;
            throw error;
          },
        );
      }).then(() => {}),
    press: (key) => {
      const value = key === 'Enter' ? '\uE007' : key;
      const actions = ['keyDown', 'keyUp'].map((type) => ({ type, value }));
      return session.command('POST', '/actions', {
        actions: [{ type: 'key', id: 'keyboard', actions }],
      });
    },
    drag: async (expression, by) => {
      const place = await evaluate<Place>(middleOf(expression));
      const [x, y] = [Math.round(place.x), Math.round(place.y)];
      const moves = [0.25, 0.5, 0.75, 1].map((share) => ({
        ...{ type: 'pointerMove', x: Math.round(x + share * by), y },
      }));
      await session.command('POST', '/actions', {
        actions: [
          {
            ...{ type: 'pointer', id: 'mouse' },
            actions: [
              { type: 'pointerMove', x, y },
              { type: 'pointerDown', button: 0 },
              ...moves,
              { type: 'pointerUp', button: 0 },
            ],
          },
        ],
      });
    },
    close: () => session.close(),
  };
}

/** A tab in the engine that `TEST_BROWSER` names; without it, in Chromium. */
export async function openTab(): Promise<Tab> {
  const engine = process.env['TEST_BROWSER'];
  if (engine === 'webkit') return webkitTab();
  return tabOf(await (engine === 'firefox' ? launchFirefox() : launchBrowser()));
}

/** Waits until an expression is true in the page. */
export const untilTrue = (tab: Tab, expression: string): Promise<unknown> =>
  waitFor(
    expression,
    async () => (await tab.evaluate(`!!(${expression})`)) === true,
    () => tab.evaluate('document.body.innerText'),
  );
