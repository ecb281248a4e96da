import type { Context } from 'hono';
import { deleteCookie, setSignedCookie } from 'hono/cookie';
import { parseSigned } from 'hono/utils/cookie';
import { findPerson, type Person } from './people.ts';

const cookie = 'demo_session';

/** The demo's login: a signed cookie with the person's name. */
export class Sessions {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  async personOf(request: Request): Promise<Person | null> {
    const sent = request.headers.get('Cookie');
    const id = sent && (await parseSigned(sent, this.#secret, cookie))[cookie];
    return id ? findPerson(id) : null;
  }

  async logIn(c: Context, person: Person): Promise<void> {
    await setSignedCookie(c, cookie, person.id, this.#secret, {
      path: '/',
      httpOnly: true,
      sameSite: 'Lax',
      maxAge: 30 * 24 * 60 * 60,
    });
  }

  logOut(c: Context): void {
    deleteCookie(c, cookie, { path: '/' });
  }
}
