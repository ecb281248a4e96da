/** The script of `/placeholder`: the elements come when the test says so. */
Object.assign(window, {
  define: async () => {
    await import('../../src/index.ts');
    await import('../../src/define/clip-list.ts');
  },
});
