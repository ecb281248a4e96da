import '../../src/cdn/clip-kit.ts';

/**
 * Runs in a page with a strict policy: uses the elements and reports the violations of the policy.
 */
const violations: string[] = [];
document.addEventListener('securitypolicyviolation', (event) => {
  violations.push(`${event.effectiveDirective} ${event.blockedURI}`);
});
const endpoint = new URLSearchParams(location.search).get('endpoint')!;
const settings = { project: 'a', endpoint, appUrl: '/frames', playerUrl: '/frames' };

const preview = Object.assign(document.createElement('clip-preview'), settings, {
  loading: 'eager',
});
const embed = Object.assign(document.createElement('clip-embed'), settings, { loading: 'eager' });
const button = Object.assign(document.createElement('clip-export-button'), settings);
const once = (target: EventTarget, name: string) =>
  new Promise((resolve) => target.addEventListener(name, resolve, { once: true }));
const done = Promise.all([
  once(preview, 'clip-preview-ready'),
  once(embed, 'clip-embed-ready'),
  once(button, 'clip-export-ready'),
]);
// The head's settings are for the plain markup; what is set on an element wins.
const meta = document.createElement('meta');
meta.name = 'clip-config';
meta.content = 'player-url=/frames';
document.head.append(meta);
const plain = document.createElement('div');
plain.dataset['clipPreview'] = 'b';
plain.dataset['clipLoading'] = 'eager';
const plainReady = once(plain, 'clip-preview-ready');
document.body.append(preview, embed, button, plain);
void button.start();
await done;
await plainReady;
const styled = getComputedStyle(button.shadowRoot!.querySelector('a')!).backgroundColor;
parent.postMessage({ csp: violations, styled }, '*');
