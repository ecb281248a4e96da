import { errors, jwtVerify, SignJWT } from 'jose';
import { computeHmac } from '../http/hmac.ts';
import { HostProblem } from '../http/host-problem.ts';

/** The lifetime of a download's address. A browser asks for it at once, and again to resume. */
const grantSeconds = 600;

const audience = 'clip-host-download';

/** Which file, under which name, and whose. */
export interface GrantedDownload {
  readonly hostUser: string;
  readonly exportId: string;
  readonly projectId: string;
  readonly folderId: string | null;
  /** The name of the file without its ending; null for the clip's name. */
  readonly name: string | null;
}

/**
 * Signs the addresses of downloads, for browsers that follow a link and cannot send a session with
 * it. An address is for one file of one user.
 */
export class DownloadGrants {
  readonly #keys: readonly Promise<Uint8Array>[];
  readonly #now: () => number;

  /** `secrets`: the first signs, all verify. The keys are derived from them. */
  constructor(secrets: readonly string[], now: () => number) {
    this.#keys = secrets.map((secret) => computeHmac(secret, 'clip-host downloads'));
    this.#now = now;
  }

  async sign({ hostUser, exportId, ...file }: GrantedDownload): Promise<string> {
    const seconds = Math.floor(this.#now() / 1000);
    return new SignJWT({ export: exportId, file })
      .setProtectedHeader({ alg: 'HS256' })
      .setAudience(audience)
      .setSubject(hostUser)
      .setExpirationTime(seconds + grantSeconds)
      .sign((await this.#keys[0])!);
  }

  /** Throws 403 unless the grant is for this export and still good. */
  async open(grant: string, exportId: string): Promise<GrantedDownload> {
    for (const key of this.#keys) {
      try {
        const { payload } = await jwtVerify(grant, await key, {
          algorithms: ['HS256'],
          audience,
          currentDate: new Date(this.#now()),
          requiredClaims: ['sub', 'exp'],
        });
        const { sub: hostUser = '', export: of, file } = payload;
        if (of !== exportId) break;
        return { ...(file as Omit<GrantedDownload, 'hostUser' | 'exportId'>), hostUser, exportId };
      } catch (cause) {
        if (cause instanceof errors.JWTExpired) {
          throw new HostProblem('forbidden', {
            detail: 'This download link has expired. Press Download on the page again.',
          });
        }
      }
    }
    throw new HostProblem('forbidden', {
      detail: 'This download link is not valid. Press Download on the page again.',
    });
  }
}
