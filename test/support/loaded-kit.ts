/** The exports of a loaded kit. The types of the sources are used for the built files. */
export type Kit = typeof import('../../src/elements/index.ts');

/** The built single file. Every `name` is another URL, and so a separate copy. */
export const singleFile = (name: string): string => `/dist/cdn/clip-kit.js?${name}`;

/** A built module. It exists after `npm run build`. */
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

/** Collects uncaught errors of the page. */
export function uncaught(): { thrown: unknown[]; end(): void } {
  const thrown: unknown[] = [];
  const listening = new AbortController();
  const { signal } = listening;
  addEventListener('error', ({ error }) => thrown.push(error), { signal });
  addEventListener('unhandledrejection', ({ reason }) => thrown.push(reason), { signal });
  return { thrown, end: () => listening.abort() };
}
