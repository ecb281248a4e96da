import { aTimeout } from '@open-wc/testing';
import '../../src/define/clip-export-button.ts';
import { type BrowserWorld, newElement, newWorld, reaches, until } from './browser-world.ts';
import type { Behaviour } from './page-behaviour.ts';

export type ExportButton = HTMLElementTagNameMap['clip-export-button'];

/** Buttons in the page. After each test they are removed, and the storage is cleared. */
export function mountedButtons() {
  const added: Element[] = [];
  /** Removes everything of the page except its storage, as a reload does. */
  const clear = async (): Promise<void> => {
    for (const element of added.splice(0)) element.remove();
    await aTimeout(0);
  };
  afterEach(async () => {
    await clear();
    localStorage.clear();
  });
  /** Adds a button for `clip-1` of the world's host, unless the attributes say otherwise. */
  const add = async (
    { endpoint }: BrowserWorld,
    more: Record<string, string> = {},
  ): Promise<ExportButton> => {
    const element = newElement('clip-export-button', { project: 'clip-1', endpoint, ...more });
    added.push(element);
    document.body.append(element);
    await element.updateComplete;
    return element;
  };
  /** Adds a button of a new world. */
  const open = async (
    behaviour: Partial<Behaviour> = {},
    more: Record<string, string> = {},
  ): Promise<{ world: BrowserWorld; element: ExportButton }> => {
    const world = await newWorld(behaviour);
    return { world, element: await add(world, more) };
  };
  /** Adds a button, and starts its export; until it has this status, or the answer has come. */
  const started = async (
    behaviour: Partial<Behaviour> = {},
    status: ExportButton['status'] | null = null,
    more: Record<string, string> = {},
  ): ReturnType<typeof open> => {
    const opened = await open(behaviour, more);
    const start = opened.element.start();
    await (status ? reaches(opened.element, status) : start);
    return opened;
  };
  return { add, clear, open, started };
}

/** An export whose quarters {@link passQuarters} lets pass. */
export const tenMinutes = { render: 600_000, estimate: 600_000 };

/**
 * Lets ten minutes pass for a button's export, by the page's clock: each quarter when the one
 * before is `said`. Then the host has it ready.
 */
export async function passQuarters(
  world: BrowserWorld,
  button: ExportButton,
  said: () => string | undefined,
): Promise<void> {
  const { now } = Date;
  let ahead = 0;
  Date.now = () => now() + ahead;
  try {
    for (const share of ['25%', '50%', '75%']) {
      // Some seconds more than a quarter, because the page knows the host's clock to a second.
      ahead += 155_000;
      await until(() => said()?.includes(share), share);
    }
  } finally {
    Date.now = now;
  }
  await world.set({ render: 0 });
  await button.retry();
  await reaches(button, 'ready');
}
