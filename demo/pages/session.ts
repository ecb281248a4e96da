/** The logged-in person and the URLs, as the site reports them. */
export interface Session {
  person: Person | null;
  people: Person[];
  serviceUrl: string;
  /** URL of the host, which the pages call with a session: {@link hostSettings}. */
  endpoint: string;
  sampleUrl: string;
}

export interface Person {
  id: string;
  name: string;
  role: string;
}

/**
 * An error answer of the site or its host endpoint; `message` is for the person in front of the
 * page.
 */
class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

interface Problem {
  title?: string;
  detail?: string;
  errors?: { path: string; message: string }[];
}

function formatProblem({ title, detail, errors }: Problem, status: number): string {
  const fields = errors?.map(({ path, message }) =>
    // A message that is a sentence is shown as it is; a bare reason needs the field's name before
    // it.
    message.endsWith('.') || !path ? message : `${path} ${message}.`,
  );
  return fields?.length
    ? fields.join(' ')
    : detail || title || `The site answered with an error (${status}).`;
}

/**
 * Requests JSON from the site. Rejects with {@link Refused} on an error, or if there is no answer
 * (status 0).
 */
async function ask<T>(path: string, init: RequestInit = {}): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, {
      cache: 'no-store',
      ...init,
      headers: init.body ? { 'Content-Type': 'application/json', ...init.headers } : init.headers,
    } as RequestInit);
  } catch {
    throw new Refused(0, 'The site cannot be reached. Check that it is running, then try again.');
  }
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok)
    throw new Refused(response.status, formatProblem((body ?? {}) as Problem, response.status));
  return body as T;
}

export const readSession = (): Promise<Session> => ask<Session>('/api/session');

export const logIn = (person: string): Promise<unknown> =>
  ask('/api/session', { method: 'POST', body: JSON.stringify({ person }) });

export const logOut = (): Promise<unknown> => ask('/api/session', { method: 'DELETE' });

/** Where this site signs who is logged in. */
const sessionAddress = '/clip-session';

/** Attributes of an element that reaches the host as the logged-in person. */
export const hostSettings = ({ endpoint, person }: Session): Record<string, string | null> => ({
  endpoint,
  session: person && sessionAddress,
});

/** Requests JSON from the host as the logged-in person. Rejects as {@link ask} does. */
export async function askHost<T>({ endpoint }: Session, path: string): Promise<T> {
  const { session } = await ask<{ session: string }>(sessionAddress);
  return ask<T>(endpoint + path, { headers: { Authorization: `Bearer ${session}` } });
}
