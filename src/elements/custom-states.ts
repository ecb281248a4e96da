import type { LitElement } from 'lit';

/** Sets the custom states of an element each time it is drawn. */
export function showStates(host: LitElement, names: () => readonly unknown[]): void {
  // Browser substitutes such as jsdom may lack custom states.
  const states = host.attachInternals?.().states as CustomStateSet | undefined;
  if (!states) return;
  host.addController({
    hostUpdated() {
      states.clear();
      for (const name of names()) {
        try {
          if (name) states.add(name as string);
        } catch {
          // Browsers before 2024 accept only names that start with `--`.
        }
      }
    },
  });
}
