/** Milliseconds after which what has not changed has stopped, however busy the machine is. */
export const stallMs = 3 * 60_000;
