export default defineNuxtConfig({
  app: { head: { link: [{ rel: 'icon', href: 'data:,' }] } },
  compatibilityDate: '2026-11-01',
  typescript: {
    tsConfig: {
      compilerOptions: { types: ['clip-kit/types/vue'] },
      vueCompilerOptions: { strictTemplates: true },
    },
  },
  vue: { compilerOptions: { isCustomElement: (tag) => tag.startsWith('clip-') } },
});
