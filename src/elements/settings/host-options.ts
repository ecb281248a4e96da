import type { HostClientOptions } from '../../client/host-client.ts';
import { safeUrl, settingOf, settingUrl } from './settings.ts';

/** The settings for calls to the host. Throws a `ClipError` if the endpoint is invalid. */
export function hostOptions(element: Element): HostClientOptions {
  const csrfUrl = settingOf(element, 'csrfUrl');
  return {
    endpoint: settingUrl(element, 'endpoint').href,
    credentials: settingOf(element, 'credentials') === 'include' ? 'include' : 'same-origin',
    csrfHeader: settingOf(element, 'csrfHeader'),
    csrfToken: settingOf(element, 'csrfToken'),
    csrfUrl: csrfUrl && safeUrl(csrfUrl, 'csrf-url').href,
  };
}
