export default {
  title: 'Elements/clip-embed',
  component: 'clip-embed',
  args: { project: 'clip-1' },
};

export const Embed = {};
