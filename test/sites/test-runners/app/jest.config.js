export default {
  testEnvironment: 'jsdom',
  testMatch: ['**/show-clip.test.js'],
  // Modules are not transformed: Node runs them.
  transform: {},
};
