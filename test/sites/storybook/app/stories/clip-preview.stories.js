export default {
  title: 'Elements/clip-preview',
  component: 'clip-preview',
  args: { project: 'clip-1', loading: 'click' },
};

export const Poster = {};
