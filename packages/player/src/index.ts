/**
 * The player page and the embed page, with the editor: their HTML, their headers, and the files
 * that they load. The service answers with them.
 */
export type { Appearance, Rgb } from './appearance.ts';
export { readAsset } from './assets.ts';
export type { CaptionsView, ClipView, EmbedView, StoryboardView, StreamView } from './clip-view.ts';
export { linkMetadata, type SharedLink } from './link-metadata.ts';
export { chooseLanguage } from './locales/languages.ts';
export type { PageOptions } from './markup.ts';
export { mergePatch, patchBetween } from './merge-patch.ts';
export { cacheSeconds, makeOEmbed, formatOEmbedXml } from './oembed.ts';
export { makePageHeaders, type PageLook, type PageSettings } from './page-headers.ts';
export { makeEmbedPage, makeMissingPage, makePlayerPage } from './pages.ts';
export { makeSharedClipPage, makeSharedListPage } from './share-pages.ts';
