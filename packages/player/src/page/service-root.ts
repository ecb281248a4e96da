/** The service's root, whatever path it is published under. */
export const root = new URL('../', location.href);

/** The project's id: the last segment of the page's address, as it stands there. */
export const projectSegment = location.pathname.split('/').filter(Boolean).at(-1)!;
