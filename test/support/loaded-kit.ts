/** What a load of the kit exports. Types of the sources stand for those of what is built. */
export type Kit = typeof import('../../src/elements/index.ts');

/** The single file, built. Every `name` is an address, and so a copy, of its own. */
export const singleFile = (name: string): string => `/dist/cdn/clip-kit.js?${name}`;

/** A module of what is built. It is there after `npm run build`. */
export const load = async (address: string): Promise<Kit> => (await import(address)) as Kit;

/** Adds a script tag to the page and waits until the script has run. */
export const addScript = (address: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.type = 'module';
    script.src = address;
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () =>
      reject(new Error(`${address} could not be loaded. Is the kit built? npm run build`)),
    );
    document.head.append(script);
  });

/** Collects what is thrown in the page and caught by nobody. */
export const uncaught = (): { thrown: unknown[]; end(): void } => {
  const thrown: unknown[] = [];
  const listening = new AbortController();
  const { signal } = listening;
  addEventListener('error', ({ error }) => thrown.push(error), { signal });
  addEventListener('unhandledrejection', ({ reason }) => thrown.push(reason), { signal });
  return { thrown, end: () => listening.abort() };
};
