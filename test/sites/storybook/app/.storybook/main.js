export default {
  stories: ['../stories/*.stories.js'],
  addons: ['@storybook/addon-docs'],
  framework: '@storybook/web-components-vite',
  core: { disableTelemetry: true, disableWhatsNewNotifications: true },
};
