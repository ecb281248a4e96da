export default {
  title: 'Elements/clip-export-button',
  component: 'clip-export-button',
  args: { project: 'clip-1' },
};

export const Button = {};
