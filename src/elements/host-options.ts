import type { HostClientOptions } from '../client/host-client.ts';
import { safeUrl, settingOf, settingUrl } from './settings.ts';

/** The settings for calls to the host, as they hold for the element. Throws a `ClipError` where the endpoint is missing or no good. */
export const hostOptions = (element: Element): HostClientOptions => {
  const csrfUrl = settingOf(element, 'csrfUrl');
  return {
    endpoint: settingUrl(element, 'endpoint').href,
    credentials: settingOf(element, 'credentials') === 'include' ? 'include' : 'same-origin',
    csrfHeader: settingOf(element, 'csrfHeader'),
    csrfToken: settingOf(element, 'csrfToken'),
    csrfUrl: csrfUrl && safeUrl(csrfUrl, 'csrf-url').href,
  };
};
