import type { Appearance } from './appearance.ts';

/** The look that an organization wants for the pages of its clips. */
export interface PageLook {
  readonly appearance: Appearance;
  readonly logoUrl?: string;
  /** The organization's fonts, which the page loads if something is set in them. */
  readonly fonts: readonly { id: string; family: string; weight: 'regular' | 'bold' }[];
}

/** The look of the player and embed pages, and the sites that may use them. */
export interface PageSettings {
  /** The only origins that may steer the pages by player.js; if omitted, all of them. */
  controlOrigins?: readonly string[];
  /**
   * The sites that may frame the pages: sources of the policy's `frame-ancestors`.
   * @default '*'
   */
  frameAncestors?: string;
  /** A CSS colour for buttons and the time line. */
  accent?: string;
  /** A picture beside the title. */
  logoUrl?: string;
}

const joinSources = (...parts: (string | null | undefined | false)[]): string =>
  parts.filter((part) => part).join(' ');

interface Served {
  readonly settings: PageSettings;
  /** Address of the service, as browsers reach it. */
  readonly publicUrl: string;
  /** Where the clips' files come from, if not from this origin. */
  readonly fileOrigin: string | null;
  /** Whether the page has the editor, which draws its text with libass in WebAssembly. */
  readonly hasEditor: boolean;
}

/**
 * Scripts only come from files of this origin. Styles may be inline: they carry the clip's shape
 * and the colours of the settings.
 */
function listPolicies({ settings, publicUrl, fileOrigin, hasEditor }: Served): readonly string[] {
  const { frameAncestors = '*', logoUrl } = settings;
  // To Safari, a page in a sandbox has no `'self'`.
  const self = `'self' ${new URL(publicUrl).origin}`;
  return [
    "default-src 'none'",
    joinSources(`script-src ${self}`, hasEditor && "'wasm-unsafe-eval'"),
    `style-src ${self} 'unsafe-inline'`,
    joinSources(`img-src ${self} data:`, fileOrigin, logoUrl && new URL(logoUrl).origin),
    // A page in a sandbox makes a copy of the captions.
    joinSources(`media-src ${self} blob:`, fileOrigin),
    `font-src ${self}`,
    `connect-src ${self}`,
    "base-uri 'none'",
    "form-action 'none'",
    // To browsers, `*` is every site except a page in a sandbox, which has no origin.
    ...(frameAncestors === '*' ? [] : [`frame-ancestors ${frameAncestors}`]),
  ];
}

export const makePageHeaders = (served: Served): Record<string, string> => ({
  'Content-Security-Policy': listPolicies(served).join('; '),
  // A page that sends `Cross-Origin-Embedder-Policy` frames only pages with both of these. Other
  // servers may not send the second, so what comes from them is loaded without credentials. Safari
  // does not know that, and takes it as no policy.
  'Cross-Origin-Embedder-Policy':
    served.fileOrigin === null && served.settings.logoUrl === undefined
      ? 'require-corp'
      : 'credentialless',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
});
