import type { PageSettings } from '../config/config.ts';

/**
 * Scripts only come from files of this origin. Styles may be inline: they carry the clip's shape
 * and the colours of the settings.
 */
export const pageHeaders = ({ frameAncestors, logoUrl }: PageSettings): Record<string, string> => ({
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data:${logoUrl === undefined ? '' : ` ${new URL(logoUrl).origin}`}`,
    "media-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${frameAncestors ?? '*'}`,
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
});
