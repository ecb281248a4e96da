/** If nothing has changed for this long, it has stopped, however busy the machine is. */
export const stallMs = 3 * 60_000;
