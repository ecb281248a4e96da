import { useData, withBase, type DefaultTheme, type Theme } from 'vitepress';
import Default from 'vitepress/theme';
import { defineComponent, h } from 'vue';
import { LiveExample } from './live-example.ts';
import { useOwnValues } from './own-values.ts';
import './style.css';

/** The pages of a group as tabs: one for each stack. */
function Tabs() {
  const { theme, page } = useData<DefaultTheme.Config>();
  const here = `/${page.value.relativePath.replace(/\.md$/, '')}`;
  const groups = theme.value.sidebar as DefaultTheme.SidebarItem[];
  const group = groups.find(({ items }) => items?.some(({ link }) => link === here));
  if (!/^\/(start|hosts)\//.test(here) || !group?.items) return null;
  return h(
    'nav',
    { class: 'tabs', 'aria-label': group.text },
    group.items.map(({ text, link = '' }) =>
      h('a', { href: withBase(link), 'aria-current': link === here ? 'page' : null }, text),
    ),
  );
}

const Layout = defineComponent(() => {
  useOwnValues();
  return () => h(Default.Layout, null, { 'doc-before': () => h(Tabs) });
});

export default {
  ...Default,
  enhanceApp(context) {
    Default.enhanceApp?.(context);
    context.app.component('LiveExample', LiveExample);
    // Only in a browser.
    if (!import.meta.env.SSR) void import(/* @vite-ignore */ withBase('/clip-kit.js'));
  },
  Layout,
} satisfies Theme;
