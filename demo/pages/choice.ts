/**
 * A choice of how the site looks. It is stored in the browser and set as `data-*` on the document,
 * for style sheets.
 */
export interface Choice<Value extends string> {
  /** The current value: the last choice, or the first of all. */
  readonly value: Value;
  /** The next value; after the last one, the first again. */
  readonly next: Value;
  /** Switches to the next value. */
  turn(): void;
}

/** Reads a choice by its name and applies it. */
export function createChoice<Value extends string>(
  name: string,
  values: readonly [Value, ...Value[]],
): Choice<Value> {
  const { dataset } = document.documentElement;
  const stored = (): string | null => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  };
  const known = dataset[name] ?? stored();
  const value = values.find((one) => one === known) ?? values[0];
  const next = values[(values.indexOf(value) + 1) % values.length] ?? values[0];
  dataset[name] = value;
  return {
    value,
    next,
    turn() {
      dataset[name] = next;
      try {
        localStorage.setItem(name, next);
      } catch {
        // Storage is blocked: keep it only for this page.
      }
    },
  };
}
