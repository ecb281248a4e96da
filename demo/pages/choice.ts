/** A choice of how the site looks: kept in the browser, and shown as `data-*` of the document, for style sheets. */
export interface Choice<Value extends string> {
  /** The present one: what was chosen last, or the first of all. */
  readonly value: Value;
  /** What comes after it, round and round. */
  readonly next: Value;
  /** Takes the next one. */
  turn(): void;
}

/** Reads a choice by its name, and shows it. */
export const choice = <Value extends string>(
  name: string,
  values: readonly [Value, ...Value[]],
): Choice<Value> => {
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
        // Kept for this page alone then.
      }
    },
  };
};
