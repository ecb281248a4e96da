/** The script of `/placeholder`: the elements come when the test says so. */
Object.assign(window, {
  define: async () => {
    await import('../../src/index.ts');
    await Promise.all([
      import('../../src/define/clip-feed.ts'),
      import('../../src/define/clip-list.ts'),
      import('../../src/define/clip-create.ts'),
      import('../../src/define/clip-videos.ts'),
    ]);
  },
});
