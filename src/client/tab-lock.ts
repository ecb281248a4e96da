/**
 * Does the work while no other tab does work with the same name. Rejects as the work does, or with
 * the signal's reason. Where the browser gives no lock (plain http, a sandboxed frame), it waits
 * for nobody: tabs that start at once send the same attempt key, and the host starts one export.
 */
export async function withTabLock<T>(
  name: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  let begun = false;
  try {
    if (navigator.locks) {
      return await navigator.locks.request(name, { signal }, () => {
        begun = true;
        return work();
      });
    }
  } catch (cause) {
    // If cookies are blocked, the browser has locks but refuses every request for one.
    if (begun || signal.aborted) throw cause;
  }
  return work();
}
