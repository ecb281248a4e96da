import { readFile } from 'node:fs/promises';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import Provider, { type Configuration } from 'oidc-provider';
import { serve } from 'clip-testkit/serve';
import { shownFiles } from '../../../../test/docs/shown-files.ts';

/** An authorization server with a page for signing in by name, and the key of its tokens. */
export interface AuthorizationServer {
  readonly issuer: string;
  /** Signs a token for the resource as it does itself, also one that it would not sign. */
  sign(
    claims: Readonly<Record<string, unknown>>,
    header?: Readonly<Record<string, unknown>>,
  ): Promise<string>;
  close(): Promise<void>;
}

/** Returns the settings that docs/agents.md shows, for another resource. */
async function readSettings(resource: string): Promise<Configuration> {
  const page = await readFile(new URL('../../../../docs/agents.md', import.meta.url), 'utf8');
  const file = shownFiles(page).find(({ path }) => path === 'sign-in-settings.js');
  const text = file!.text.replace('https://mcp.example.com/mcp', resource);
  const { signInSettings } = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as {
    signInSettings: Configuration;
  };
  return signInSettings;
}

/** Starts one with the settings of the documentation, which issues tokens for `resource` alone. */
export async function startAuthorizationServer(resource: string): Promise<AuthorizationServer> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'test' };
  const settings = await readSettings(resource);
  const server = await serve((request, response) => void provider.callback()(request, response));
  const issuer = server.origin;
  const provider = new Provider(issuer, {
    ...settings,
    jwks: { keys: [key] },
    cookies: { keys: ['a key of the cookies of the test'] },
  });
  return {
    issuer,
    sign: (claims, header = {}) => {
      const now = Math.floor(Date.now() / 1000);
      return new SignJWT({ iss: issuer, aud: resource, iat: now, exp: now + 60, ...claims })
        .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: 'test', ...header })
        .sign(privateKey);
    },
    close: () => server.close(),
  };
}
