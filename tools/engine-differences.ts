/**
 * The element tests of what browsers do differently, and what that is. The others test what the kit
 * itself decides and draws. `npm run test:firefox -- --differences` and the same of WebKit run only
 * these, and so does `.ci/run`; without it, and in `npm run test:all`, they run all.
 */
export const engineDifferences: Readonly<Record<string, string>> = {
  'clip-create': 'files: dropped, kept over a reload, read by a handle; cut connections; locks',
  'clip-embed': 'frames: their history, referrer and fragment, and when they load',
  'clip-preview': 'frames: blocked, blank, sandboxed; what is near the viewport; posters',
  focus: 'the focus, in shadow roots and frames',
  'lost-part': 'modules that could not be fetched, and fetching them again',
  media: 'playing, refused playing, sizes',
  'one-paid-start': 'locks, storage that refuses, keys that are held down',
  placeholder: 'layout before and after the elements are defined',
  'strict-policy': 'content security policies, Trusted Types',
};
