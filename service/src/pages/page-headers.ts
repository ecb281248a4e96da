import type { PageSettings } from '../config/config.ts';

const sources = (...parts: (string | null | undefined)[]): string =>
  parts.filter((part) => part).join(' ');

/**
 * Scripts only come from files of this origin. Styles may be inline: they carry the clip's shape
 * and the colours of the settings.
 */
export const pageHeaders = (
  { frameAncestors, logoUrl }: PageSettings,
  /** Where the clips' files come from, if not from this origin. */
  fileOrigin: string | null,
): Record<string, string> => ({
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    sources("img-src 'self' data:", fileOrigin, logoUrl && new URL(logoUrl).origin),
    sources("media-src 'self'", fileOrigin),
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${frameAncestors ?? '*'}`,
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
});
