import assert from 'node:assert/strict';
import {
  type OAuthClientProvider,
  UnauthorizedError,
} from '@modelcontextprotocol/sdk/client/auth.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type {
  OAuthClientInformationMixed,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js';
import { Agent } from './agent.ts';

const redirectUrl = 'http://127.0.0.1/done';

/** A person with a browser, whose agent signs in with the SDK's own client. */
export class Person implements OAuthClientProvider {
  readonly #name: string;
  readonly #cookies = new Map<string, string>();
  readonly redirectUrl = redirectUrl;
  /** The addresses at which the person was asked to sign in. */
  readonly asked: URL[] = [];
  registered: OAuthClientInformationMixed | undefined;
  kept: OAuthTokens | undefined;
  #verifier = '';
  #code = '';
  #transport: StreamableHTTPClientTransport | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  readonly clientMetadata = {
    client_name: 'An agent',
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
  };

  clientInformation = () => this.registered;
  saveClientInformation = (one: OAuthClientInformationMixed): void => void (this.registered = one);
  tokens = () => this.kept;
  saveTokens = (tokens: OAuthTokens): void => void (this.kept = tokens);
  saveCodeVerifier = (verifier: string): void => void (this.#verifier = verifier);
  codeVerifier = () => this.#verifier;

  /** Signs in and agrees, as a browser does: with forms, redirects and cookies. */
  async redirectToAuthorization(address: URL): Promise<void> {
    this.asked.push(address);
    let response = await this.#send(address);
    for (let step = 0; step < 12; step++) {
      const location = response.headers.get('Location');
      if (location?.startsWith(redirectUrl)) {
        const { searchParams } = new URL(location);
        assert.equal(searchParams.get('error_description'), null);
        this.#code = searchParams.get('code')!;
        return;
      }
      if (location !== null) {
        response = await this.#send(new URL(location, address));
        continue;
      }
      const page = await response.text();
      const [, action] = /<form [^>]*action="([^"]+)"/.exec(page) ?? [];
      const [, prompt] = /name="prompt" value="(\w+)"/.exec(page) ?? [];
      assert.ok(action && prompt, page);
      const form = new URLSearchParams({ prompt, login: this.#name, password: 'any' });
      response = await this.#send(new URL(action, address), form);
    }
    assert.fail('the sign-in does not end');
  }

  async #send(address: URL, form?: URLSearchParams): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { cookie },
      ...(form && { method: 'POST', body: form }),
    });
    for (const one of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(one) ?? [];
      if (value) this.#cookies.set(name, value);
      else this.#cookies.delete(name);
    }
    return response;
  }

  /** Connects an agent; after a sign-in, with the token of its code. */
  async connect(url: string, answers?: Parameters<typeof Agent.on>[1]): Promise<Agent> {
    const open = (): Promise<Agent> => {
      this.#transport = new StreamableHTTPClientTransport(new URL(url), { authProvider: this });
      return Agent.on(this.#transport as Transport, answers);
    };
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error;
      await this.finishSignIn();
      return open();
    }
  }

  /** Gets a token for the code of the last sign-in. */
  async finishSignIn(): Promise<void> {
    await this.#transport!.finishAuth(this.#code);
  }
}
